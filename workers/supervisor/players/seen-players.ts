import type { SeenPlayer } from '../../../shared/schema/player-lists.ts';
import type { Log } from '../own-process/process-log.ts';
import { type KeptList, keptList } from './kept-list.ts';
import type { Movement } from './movements.ts';

/** The oldest are forgotten, because a plugin can print any number of names. */
const MOST_SEEN = 1_000;
/** Each time, a file of up to 100 kB is written. Milliseconds. */
export const COUNT_PLAYERS_EVERY_MS = 30_000;
/** From a change until it is written. Milliseconds. */
const WRITE_AFTER_MS = 1_000;

interface Seen {
  name: string;
  /** Milliseconds since the epoch. */
  lastSeen: number;
  playMs: number;
}

export interface SeenPlayersOptions {
  file: string;
  /** How much of their play time the players who are online lose if the supervisor is killed. Milliseconds. */
  countEveryMs: number;
  /** Returns whether the owner's present redaction rules hide a name in the console. */
  isHidden: (name: string) => boolean;
  log: Log;
}

/** Who was on the server, when last, and for how long, by their names. On disk, where it survives the supervisor. */
export class SeenPlayers {
  readonly #options: SeenPlayersOptions;
  readonly #kept: KeptList<Seen>;
  /** The one who was seen last is at the end. */
  readonly #seen: Map<string, Seen>;
  /** Until when the time of a player who is online was counted, on the monotonic clock. */
  readonly #countedUntil = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires, on the monotonic clock. */
  #due = 0;
  #isReleased = false;

  constructor(options: SeenPlayersOptions) {
    this.#options = options;
    this.#kept = keptList(options.file, { isEntry: isSeen, log: options.log });
    this.#seen = new Map(this.#kept.read().map((player) => [player.name, player]));
  }

  /** Newest first, without those whose names a rule has come to hide. */
  get all(): SeenPlayer[] {
    this.#countAll();
    const shown = [...this.#seen.values()].filter(({ name }) => !this.#options.isHidden(name));
    return shown.reverse().map(({ name, lastSeen, playMs }) => ({
      name,
      lastSeen: new Date(lastSeen).toISOString(),
      playSeconds: Math.floor(playMs / 1000),
      online: this.#countedUntil.has(name),
    }));
  }

  take({ name, hasLeft }: Movement): void {
    if (hasLeft ? !this.#countedUntil.has(name) : this.#options.isHidden(name)) return;
    this.#count(name);
    if (hasLeft) this.#countedUntil.delete(name);
    this.#writeIn(WRITE_AFTER_MS);
  }

  /** Resolves when everything is on disk. From then on it belongs to another supervisor, and nothing is written. */
  async release(): Promise<void> {
    const isWritten = this.#timer === undefined;
    this.#isReleased = true;
    if (!isWritten) this.#write();
    await this.#kept.settled();
  }

  /** The time of a player starts with the first call. */
  #count(name: string): void {
    const now = performance.now();
    const before = this.#seen.get(name);
    const playMs = (before?.playMs ?? 0) + now - (this.#countedUntil.get(name) ?? now);
    this.#countedUntil.set(name, now);
    this.#seen.delete(name);
    this.#seen.set(name, { name, lastSeen: Date.now(), playMs });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST_SEEN && oldest !== undefined) this.#seen.delete(oldest);
  }

  #countAll(): void {
    for (const name of [...this.#countedUntil.keys()]) this.#count(name);
  }

  #writeIn(ms: number): void {
    const due = performance.now() + ms;
    if (this.#isReleased || (this.#timer && this.#due <= due)) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#write(), ms);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#countAll();
    void this.#kept.tryWrite([...this.#seen.values()]);
    if (this.#countedUntil.size > 0) this.#writeIn(this.#options.countEveryMs);
  }
}

function isSeen(value: unknown): value is Seen {
  const { name, lastSeen, playMs } = Object(value) as Partial<Record<keyof Seen, unknown>>;
  return typeof name === 'string' && Number.isFinite(lastSeen) && Number.isFinite(playMs);
}
