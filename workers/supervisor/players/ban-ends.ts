import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Log } from '../own-process/process-log.ts';
import { type KeptList, keptList } from './kept-list.ts';

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

  /** Resolves when the end is on disk. Replaces that of an earlier ban. */
  async set(end: BanEnd): Promise<void> {
    this.#ends.set(end.name.toLowerCase(), end);
    await this.#kept.write(this.all);
  }

  /** Resolves when the end is no longer on disk: the ban is over, or another one counts. */
  async forget(name: string): Promise<void> {
    if (this.#ends.delete(name.toLowerCase())) await this.#kept.write(this.all);
  }
}

function isBanEnd(value: unknown): value is BanEnd {
  const { name, bannedAt, endsAt } = Object(value) as Partial<Record<keyof BanEnd, unknown>>;
  return typeof name === 'string' && Number.isFinite(bannedAt) && Number.isFinite(endsAt);
}
