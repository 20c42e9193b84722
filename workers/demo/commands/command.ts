import type { ConsoleLog } from '../console/console-log.ts';
import type { OnlinePlayers } from '../players/online-players.ts';
import type { PlayerLists } from '../players/player-lists.ts';
import type { World } from '../world/world.ts';
import type { CommandLine } from './command-line.ts';
import type { CommandSource } from './source.ts';

/** What commands act on. */
export interface Game {
  readonly log: ConsoleLog;
  readonly world: World;
  readonly players: OnlinePlayers;
  readonly lists: PlayerLists;
  readonly now: () => Date;
  /** Of the last ticks, in milliseconds. */
  tickTimes(): number[];
  /** Begins to stop; resolves at once, so that the command can still be answered. */
  requestStop(): void;
  setWhitelistEnforced(enforced: boolean): Promise<void>;
  /** The ways to misbehave. */
  crash(): void;
  /** Its main thread does nothing any more; the list ping is still answered, as by vanilla. */
  hang(): void;
  /** The whole process does nothing any more. */
  freeze(): void;
  flood(lines: number): void;
  /** Each tick takes so much longer from now on, in milliseconds. */
  lag(ms: number): void;
}

export interface CommandCall {
  readonly game: Game;
  readonly source: CommandSource;
  readonly line: CommandLine;
}

export interface Command {
  readonly name: string;
  /** As `help` shows it, without the slash. */
  readonly usages: readonly string[];
  run(call: CommandCall): void | Promise<void>;
}
