import { isPlayerName } from '../../../shared/domain/players/player-name.ts';
import type { LineFeed } from '../game/line-feed.ts';
import type { LogLine } from '../game/log-prefix.ts';
import type { ManagementSession } from '../management/management-session.ts';

/**
 * Searched for in all output. A search jumps between occurrences of the first character, so each text begins with a rare one: texts that
 * began with a blank or an "o" took 14 % of a supervisor's CPU time in a flood.
 */
const TEXTS = ['joined the game', 'ft the game', 'connected'] as const;
/** Vanilla and its descendants, some with a full stop; Velocity and flying-squid with the address. */
const MOVEMENT =
  /^(?:\[[^\]]{1,40}\] )?(\S.{0,40}?)(?: \([^)]{1,60}\)(?: has)?)? (joined the game|left the game|connected|disconnected)\.?$/;
/** Bedrock: `Player connected: Two Words, xuid: 2535473624588400`. */
const BEDROCK_MOVEMENT = /^Player (connected|disconnected): (.{1,40}?), xuid: /;
const LEAVING = new Set(['left the game', 'disconnected']);

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
  readonly #edition: 'java' | 'bedrock';
  readonly #now: () => number;
  readonly #onChange: () => void;
  /** True while the management protocol reports players. The console, which may be late, is ignored then. */
  #isManaged = false;

  /** `now` returns milliseconds since the epoch; `onChange` is called when a player joins or leaves. */
  constructor(edition: 'java' | 'bedrock', now: () => number, onChange: () => void = () => undefined) {
    this.#edition = edition;
    this.#now = now;
    this.#onChange = onChange;
  }

  /** Names in the order of joining. */
  get names(): string[] {
    return [...this.#since.keys()];
  }

  /** Returns when a player joined, in milliseconds since the epoch. */
  since(name: string): number | undefined {
    return this.#since.get(name);
  }

  /** Follows a game process from now on. Returns a function that stops this. */
  follow({ lines, management }: PlayerSources): () => void {
    const stopReading = lines.onLineWith(TEXTS, (line) => {
      if (!this.#isManaged && (line.prefixed || !lines.prefixSeen)) this.take(line);
    });
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

  take({ message }: LogLine): void {
    const { name, movement } = this.#edition === 'bedrock' ? bedrockMovement(message) : javaMovement(message);
    if (name === undefined) return;
    if (LEAVING.has(movement ?? '')) this.#leave(name);
    else this.#join(name);
  }

  /** Removes all players but these, which the server has just returned. */
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
