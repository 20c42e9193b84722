import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Log } from '../../own-process/process-log.ts';
import { type KeptList, keptList } from '../kept-list.ts';

const MOST_ENDS = 1_000;

/** Times in milliseconds since the epoch. */
export interface BanEnd {
  name: string;
  bannedAt: number;
  endsAt: number;
}

/** The ends of bans that the running server believes to be permanent, because its command takes no end. On disk, where they survive the supervisor. */
export class BanEnds {
  readonly #kept: KeptList<BanEnd>;
  readonly #ends: Map<string, BanEnd>;
  #isReleased = false;

  constructor(file: string, log: Log) {
    this.#kept = keptList(file, { isEntry: isBanEnd, log });
    this.#ends = new Map(this.#kept.read().map((end) => [end.name.toLowerCase(), end]));
  }

  get all(): BanEnd[] {
    return [...this.#ends.values()];
  }

  of(name: string): BanEnd | undefined {
    return this.#ends.get(name.toLowerCase());
  }

  /** Throws `invalid_state` if no further end can be kept. */
  assertSpace(): void {
    if (this.#ends.size < MOST_ENDS) return;
    throw new GamekeeperError('invalid_state', `There are ${MOST_ENDS.toLocaleString('en')} temporary bans already.`, {
      resolution: 'Stop the server once, which then keeps their ends itself, or ban the player permanently.',
    });
  }

  /** Resolves when the end is on disk. Replaces that of an earlier ban, which stays if it throws: `insufficient_storage` if the disk is full. */
  async set(end: BanEnd): Promise<void> {
    const key = end.name.toLowerCase();
    const before = this.#ends.get(key);
    this.#ends.set(key, end);
    try {
      await this.#kept.write(this.all);
    } catch (error) {
      if (before) this.#ends.set(key, before);
      else this.#ends.delete(key);
      throw error;
    }
  }

  /** Forgets the end of a player's ban: it is over, or another one counts. */
  async forget(name: string): Promise<void> {
    const end = this.of(name);
    if (end) await this.forgetAll([end]);
  }

  /** Forgets these ends, except those that were replaced meanwhile. A failed write is only logged: an end on disk without its ban does nothing. */
  async forgetAll(ends: readonly BanEnd[]): Promise<void> {
    const known = ends.filter((end) => this.of(end.name) === end);
    for (const { name } of known) this.#ends.delete(name.toLowerCase());
    if (known.length > 0 && !this.#isReleased) await this.#kept.tryWrite(this.all);
  }

  /** Resolves when everything is on disk. From then on it belongs to another supervisor, and nothing is written. */
  async release(): Promise<void> {
    this.#isReleased = true;
    await this.#kept.settled();
  }
}

function isBanEnd(value: unknown): value is BanEnd {
  const { name, bannedAt, endsAt } = Object(value) as Partial<Record<keyof BanEnd, unknown>>;
  return typeof name === 'string' && Number.isFinite(bannedAt) && Number.isFinite(endsAt);
}
