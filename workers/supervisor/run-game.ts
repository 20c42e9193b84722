import { randomUUID } from 'node:crypto';
import type { Provisioned } from '../../shared/contract/jobs.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import { type Game, type GameExit, launchGame } from './game.ts';
import type { GameRecord, RecordedGame } from './game-record.ts';
import type { GameRules } from './game-rules.ts';
import { planLaunch } from './launch.ts';
import type { Log } from './log.ts';
import type { PreparedFolder } from './prepare-folder.ts';
import type { TerminalSize } from './pty.ts';
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
  stopGraceMs: number;
  onOutput: (bytes: Buffer) => void;
  hideSecret: (secret: string) => void;
  /** Players can join. */
  onReady: () => void;
}

/** How a run has ended, and in what circumstances. */
export type GameEnd = GameExit & { wasReady: boolean };

export interface GameRun {
  game: Game;
  /** Resolves when a later supervisor would find the game. */
  recorded: Promise<void>;
  /** Never rejects. */
  end: Promise<GameEnd>;
}

/** Launches a game and follows it to its end. Throws `launch_failed`. */
export async function runGame(options: GameRunOptions): Promise<GameRun> {
  const { folder, provisioned, record } = options;
  const plan = planLaunch({ ...options, port: folder.port, environment: process.env, node: process.execPath });
  const mark = randomUUID();
  await record.announce(mark).catch((error: unknown) => options.log('warn', 'the start is not on record', { error }));
  const game = await launchGame({ ...options, plan, mark });
  return followGame(game, {
    ...options,
    recorded: {
      pid: game.pid,
      mark,
      startedAt: game.startedAt,
      ready: false,
      keepsRunning: plan.keepsRunning,
      host: folder.host,
      port: folder.port,
      rconPort: folder.rcon?.port ?? null,
      provisioned,
    },
  });
}

export interface FollowOptions extends Pick<GameRunOptions, 'rules' | 'record' | 'log' | 'onReady'> {
  /** What the record is to say. */
  recorded: RecordedGame;
}

/** Keeps a game's record, and notices when it is ready, unless it is already, and how it ends. */
export function followGame(game: Game, { rules, record, log, onReady, ...options }: FollowOptions): GameRun {
  const over = new AbortController();
  let wasReady = options.recorded.ready;
  const unrecorded = (error: unknown) => log('warn', 'the record of the game is not right', { error });
  const write = () => record.write({ ...options.recorded, ready: wasReady }).catch(unrecorded);
  let recorded = write();
  const gotReady = (ready: boolean) => {
    if (!ready) return;
    wasReady = true;
    game.gotReady();
    // On record first: what is shown must be known to the next supervisor as well.
    recorded = recorded.then(write);
    void recorded.then(onReady);
  };
  if (!wasReady) void whenReady(game, rules.readyPattern, over.signal).then(gotReady);
  const end = game.exited.then(async (exit) => {
    over.abort();
    await recorded;
    await record.clear().catch(unrecorded);
    return { ...exit, wasReady };
  });
  return { game, recorded, end };
}
