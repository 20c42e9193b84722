import { randomUUID } from 'node:crypto';
import type { Provisioned } from '../../../shared/contract/jobs.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { PreparedFolder } from '../folder/prepare-folder.ts';
import { type GameServices, startGameProcess } from '../game/game-process.ts';
import type { GameRecord } from '../game/game-record.ts';
import type { GameRules } from '../game/game-rules.ts';
import { type GameRun, watchGame } from '../game/watch-game.ts';
import type { Log } from '../own-process/process-log.ts';
import type { TerminalSize } from '../process/pty.ts';
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
  services: GameServices;
  /** Players can join. */
  onReady: () => void;
}

/** Launches a game and follows it to its end. Throws `launch_failed`, and what keeps it from being put on record, such as a full disk. */
export async function runGame(options: GameRunOptions): Promise<GameRun> {
  const { folder, provisioned, record } = options;
  const plan = planLaunch({ ...options, port: folder.port, environment: process.env, node: process.execPath });
  const mark = randomUUID();
  // A game that is not on record would be started a second time by the next supervisor: then there is none.
  await record.announce(mark);
  const game = await startGameProcess({ ...options, address: folder, plan, mark }).catch(async (error: unknown) => {
    await record
      .endOrphan(options.services.stopGraceMs)
      .catch((cause: unknown) => options.log('warn', 'a start that failed stays on record', { error: cause }));
    throw error;
  });
  return watchGame(game, {
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
