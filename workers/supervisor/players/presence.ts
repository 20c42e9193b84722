import { isShownName } from '../../../shared/domain/players/player-name.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import type { LineFeed } from '../game/line-feed.ts';
import type { LogLine } from '../game/log-prefix.ts';
import { testLines } from '../game/owner-patterns.ts';
import type { ManagementSession } from '../management/management-session.ts';
import { type Movement, type MovementReader, movementsOf } from './movements.ts';

/** Maximum of players that are tracked or returned, because a plugin can print any number of names. */
export const MOST_PLAYERS = 1_000;

/** Where a game process reports its players. */
interface PlayerSources {
  lines: LineFeed;
  management: Pick<ManagementSession, 'onPlayers'>;
}

/** Who is online, and since when: from the management protocol, else from the console. */
export class Presence {
  readonly #since = new Map<string, number>();
  readonly #definition: Pick<SoftwareDefinition, 'edition' | 'players'>;
  readonly #movements: MovementReader;
  readonly #now: () => number;
  readonly #onMovement: (movement: Movement) => void;
  /** True while the management protocol reports players. The console, which may be late, is ignored then. */
  #isManaged = false;
  #hasSeenPlayers = false;

  /** `now` returns milliseconds since the epoch; `onMovement` is called when a player has joined or left. */
  constructor(
    definition: Pick<SoftwareDefinition, 'edition' | 'players'>,
    now: () => number,
    onMovement: (movement: Movement) => void = () => undefined,
  ) {
    this.#definition = definition;
    this.#movements = movementsOf(definition);
    this.#now = now;
    this.#onMovement = onMovement;
  }

  /** Names in the order of joining. */
  get names(): string[] {
    return [...this.#since.keys()];
  }

  /** True once a player was online. */
  get hasSeenPlayers(): boolean {
    return this.#hasSeenPlayers;
  }

  /** Everybody who is online, and since when. */
  get all(): { name: string; since: number }[] {
    return Array.from(this.#since, ([name, since]) => ({ name, since }));
  }

  /** Returns when a player joined, in milliseconds since the epoch. */
  since(name: string): number | undefined {
    return this.#since.get(name);
  }

  /** Follows a game process from now on. Returns a function that stops this. */
  follow({ lines, management }: PlayerSources): () => void {
    const stopReading = this.#readLines(lines);
    const stopListening = management.onPlayers({
      all: (names) => {
        this.#isManaged = true;
        this.keepOnly(names);
        for (const name of names) this.#join(name);
      },
      joined: (name) => this.#join(name),
      left: (name) => this.#leave(name),
      lost: () => {
        this.#isManaged = false;
      },
    });
    return () => {
      stopReading();
      stopListening();
    };
  }

  /** Takes over who is online from the former supervisor. */
  adopt(players: readonly { name: string; since: number }[]): void {
    for (const { name, since } of players) this.#join(name, since);
  }

  take(line: LogLine): void {
    const movement = this.#movements.read(line);
    if (movement) this.#follow(movement);
  }

  /** Removes all players but these, which the server has just returned. */
  keepOnly(names: readonly string[]): void {
    for (const name of this.names) if (!names.includes(name)) this.#leave(name);
  }

  /** Own patterns of a kind have a time limit. */
  #readLines(lines: LineFeed): () => void {
    const { texts, read } = this.#movements;
    if (!texts) return testLines(lines, read, (movement) => movement && this.#follow(movement));
    return lines.onLineWith(texts, (line) => {
      if (!this.#isManaged && (line.prefixed || !lines.prefixSeen)) this.take(line);
    });
  }

  #follow({ name, hasLeft }: Movement): void {
    if (hasLeft) this.#leave(name);
    else this.#join(name);
  }

  #join(name: string, since = this.#now()): void {
    if (this.#since.size >= MOST_PLAYERS || this.#since.has(name) || !isShownName(name, this.#definition)) return;
    this.#hasSeenPlayers = true;
    this.#since.set(name, since);
    this.#onMovement({ name, hasLeft: false });
  }

  #leave(name: string): void {
    if (this.#since.delete(name)) this.#onMovement({ name, hasLeft: true });
  }
}
