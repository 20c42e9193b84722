import type { Provisioned } from '../../shared/contract/jobs.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import { type Game, launchGame } from './game.ts';
import type { GameRecord } from './game-record.ts';
import type { GameRules } from './game-rules.ts';
import { planLaunch } from './launch.ts';
import type { Log } from './log.ts';
import { countOutOfMemoryKills } from './out-of-memory.ts';
import type { PreparedFolder } from './prepare-folder.ts';
import type { PtyExit, TerminalSize } from './pty.ts';
import type { RconTally } from './rcon/tally.ts';
import { whenReady } from './ready-watch.ts';

export interface GameRunOptions {
  config: InstanceConfig;
  rules: GameRules;
  folder: PreparedFolder;
  provisioned: Provisioned;
  /** Absolute path of a server that ships with us. */
  embedded: (entry: string) => string;
  record: GameRecord;
  log: Log;
  /** What its terminal begins with; `undefined`: nobody has said. */
  terminalSize: TerminalSize | undefined;
  rconTally: RconTally;
  onOutput: (bytes: Buffer) => void;
  /** Players can join. */
  onReady: () => void;
}

/** How a run has ended, and in what circumstances. */
export type GameEnd = PtyExit & { wasReady: boolean; outOfMemoryKills: boolean };

export interface GameRun {
  game: Game;
  /** Resolves when a later supervisor would find the game. */
  recorded: Promise<void>;
  /** Never rejects. */
  end: Promise<GameEnd>;
}

/** Launches a game and follows it to its end. Throws `launch_failed`. */
export async function runGame(options: GameRunOptions): Promise<GameRun> {
  const { rules, folder, record, log, terminalSize, rconTally, onOutput, onReady } = options;
  const plan = planLaunch({ ...options, environment: process.env, node: process.execPath });
  const killsBefore = countOutOfMemoryKills();
  const game = await launchGame({ plan, folder, terminalSize, rconTally, onOutput });
  const over = new AbortController();
  let wasReady = false;
  void whenReady(game, rules.readyPattern, over.signal).then((ready) => {
    if (!ready) return;
    wasReady = true;
    game.gotReady();
    onReady();
  });
  const unrecorded = (error: unknown) => log('warn', 'the record of the game is not right', { error });
  const recorded = record.write(game.pid).catch(unrecorded);
  const end = game.exited.then(async (exit) => {
    over.abort();
    await recorded;
    await record.clear().catch(unrecorded);
    return { ...exit, wasReady, outOfMemoryKills: countOutOfMemoryKills() > killsBefore };
  });
  return { game, recorded, end };
}
