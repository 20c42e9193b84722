import { isPlayerName } from '../../../shared/domain/player-name.ts';
import type { LineFeed } from '../game/line-feed.ts';
import type { LogLine } from '../game/log-prefix.ts';
import type { ManagementSession } from '../management/management-session.ts';

/**
 * Looked for in every byte of the output: a search jumps from one occurrence of the first letter to the next, so each begins with a rare
 * one. They were 14 % of a supervisor's work in a flood when they began with a blank and an "o".
 */
const TEXTS = ['joined the game', 'ft the game', 'connected'] as const;
/** Vanilla's words and those of its descendants, some with a full stop; Velocity's and flying-squid's with the address. */
const MOVEMENT =
  /^(?:\[[^\]]{1,40}\] )?(\S.{0,40}?)(?: \([^)]{1,60}\)(?: has)?)? (joined the game|left the game|connected|disconnected)\.?$/;
/** Bedrock's: `Player connected: Two Words, xuid: 2535473624588400`. */
const BEDROCK_MOVEMENT = /^Player (connected|disconnected): (.{1,40}?), xuid: /;
const LEAVING = new Set(['left the game', 'disconnected']);

/** No more are known or told: a plugin can print as many names as it likes. */
export const MOST_PLAYERS = 1_000;

/** What a game tells about who plays. */
interface Teller {
  lines: LineFeed;
  management: Pick<ManagementSession, 'onPlayers'>;
}

/** Who plays, and since when: as the server's management protocol tells, or else as far as its console says so. */
export class Presence {
  readonly #since = new Map<string, number>();
  readonly #edition: 'java' | 'bedrock';
  readonly #now: () => number;
  readonly #onChange: () => void;
  /** The server itself tells: its console, which may come later, would only repeat it. */
  #isTold = false;

  /**
   * @param now milliseconds since the epoch
   * @param onChange called when somebody has come or gone
   */
  constructor(edition: 'java' | 'bedrock', now: () => number, onChange: () => void = () => undefined) {
    this.#edition = edition;
    this.#now = now;
    this.#onChange = onChange;
  }

  /** Names in the order in which they joined. */
  get names(): string[] {
    return [...this.#since.keys()];
  }

  /** When a player joined, milliseconds since the epoch. */
  since(name: string): number | undefined {
    return this.#since.get(name);
  }

  /** Follows a game from now on. Returns how to stop that. */
  follow({ lines, management }: Teller): () => void {
    const stopReading = lines.onLineWith(TEXTS, (line) => {
      if (!this.#isTold && (line.prefixed || !lines.prefixSeen)) this.take(line);
    });
    const stopListening = management.onPlayers({
      all: (names) => {
        this.#isTold = true;
        this.keepOnly(names);
        for (const name of names) this.#join(name);
      },
      joined: (name) => this.#join(name),
      left: (name) => this.#leave(name),
      lost: () => {
        this.#isTold = false;
      },
    });
    return () => {
      stopReading();
      stopListening();
    };
  }

  take({ message }: LogLine): void {
    const { name, movement } = this.#edition === 'bedrock' ? bedrockMovement(message) : javaMovement(message);
    if (name === undefined) return;
    if (LEAVING.has(movement ?? '')) this.#leave(name);
    else this.#join(name);
  }

  /** A server that was asked knows better who is there. */
  keepOnly(names: readonly string[]): void {
    const { size } = this.#since;
    for (const name of this.#since.keys()) if (!names.includes(name)) this.#since.delete(name);
    if (this.#since.size !== size) this.#onChange();
  }

  #join(name: string): void {
    if (this.#since.size >= MOST_PLAYERS || this.#since.has(name) || !isPlayerName(name, this.#edition)) return;
    this.#since.set(name, this.#now());
    this.#onChange();
  }

  #leave(name: string): void {
    if (this.#since.delete(name)) this.#onChange();
  }
}

function javaMovement(message: string) {
  const [, name, movement] = MOVEMENT.exec(message) ?? [];
  return { name, movement };
}

function bedrockMovement(message: string) {
  const [, movement, name] = BEDROCK_MOVEMENT.exec(message) ?? [];
  return { name, movement };
}
