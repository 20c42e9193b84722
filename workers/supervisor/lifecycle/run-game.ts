import { randomUUID } from 'node:crypto';
import type { Provisioned } from '../../../shared/contract/jobs.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { PreparedFolder } from '../folder/prepare-folder.ts';
import { type Game, type GameExit, launchGame } from '../game/game.ts';
import type { GameRecord, RecordedGame } from '../game/game-record.ts';
import type { GameRules } from '../game/game-rules.ts';
import { keepRecord } from '../game/kept-record.ts';
import { whenReady } from '../game/ready-watch.ts';
import type { Log } from '../own-process/process-log.ts';
import type { TerminalSize } from '../process/pty.ts';
import type { RconTally } from '../rcon/tally.ts';
import { planLaunch } from './launch-plan.ts';

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
  /** Resolves when a later supervisor would find the game: by its process, or as long as that cannot be written by its mark. */
  recorded: Promise<void>;
  /** Never rejects. */
  end: Promise<GameEnd>;
}

/** Launches a game and follows it to its end. Throws `launch_failed`, and what keeps it from being put on record, such as a full disk. */
export async function runGame(options: GameRunOptions): Promise<GameRun> {
  const { folder, provisioned, record } = options;
  const plan = planLaunch({ ...options, port: folder.port, environment: process.env, node: process.execPath });
  const mark = randomUUID();
  // A game that is not on record would be started a second time by the next supervisor: then there is none.
  await record.announce(mark);
  const game = await launchGame({ ...options, plan, mark }).catch(async (error: unknown) => {
    await record
      .endLeft(options.stopGraceMs)
      .catch((cause: unknown) => options.log('warn', 'a start that failed stays on record', { error: cause }));
    throw error;
  });
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
  const kept = keepRecord(() => record.write({ ...options.recorded, ready: wasReady }), log);
  const recorded = kept.update();
  const gotReady = (ready: boolean) => {
    if (!ready) return;
    wasReady = true;
    game.gotReady();
    // On record first: what is shown must be known to the next supervisor as well.
    void kept.update().then(onReady);
  };
  if (!wasReady) void whenReady(game, rules.readyPattern, over.signal).then(gotReady);
  const end = game.exited.then(async (exit) => {
    over.abort();
    await kept.end();
    await record.clear().catch((error: unknown) => log('warn', 'a game that has ended stays on record', { error }));
    return { ...exit, wasReady };
  });
  return { game, recorded, end };
}
