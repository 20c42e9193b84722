import type { Key } from '../configuration/server-properties.ts';
import type { ConsoleLog } from '../console/console-log.ts';
import type { OnlinePlayers } from '../players/online-players.ts';
import type { PlayerLists } from '../players/player-lists.ts';
import type { World } from '../world/world.ts';
import type { CommandLine } from './command-line.ts';
import type { CommandSource } from './source.ts';

/** What commands and the management protocol can change. */
export interface GameSettings {
  difficulty: string;
  gameMode: string;
  motd: string;
}

/** The parts of the server on which commands act. */
export interface Game {
  readonly log: ConsoleLog;
  readonly world: World;
  readonly players: OnlinePlayers;
  readonly lists: PlayerLists;
  /** Durations of the last ticks, in milliseconds. */
  tickTimes(): number[];
  /** Begins to stop and returns at once, so that the command still gets its answer. */
  requestStop(): void;
  readonly settings: GameSettings;
  /** Stores a property in the file, and with it all others as they were read at the start. */
  store(key: Key, value: string): Promise<void>;
  crash(): void;
  /** Blocks the main thread. As in vanilla, the list ping still works. */
  hang(): void;
  /** Blocks the whole process. */
  freeze(): void;
  flood(lines: number): void;
  /** Makes each tick longer from now on, in milliseconds. */
  lag(ms: number): void;
}

export interface CommandCall {
  readonly game: Game;
  readonly source: CommandSource;
  readonly line: CommandLine;
}

export interface Command {
  readonly name: string;
  /** For `help`, without the slash. */
  readonly usages: readonly string[];
  run(call: CommandCall): void | Promise<void>;
}
