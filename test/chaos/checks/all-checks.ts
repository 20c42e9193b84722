import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { RespawningDaemon } from '../system/respawning-daemon.ts';
import { checkArchives } from './archives.ts';
import type { ConsoleWatcher } from './console-watcher.ts';
import { type ConsoleStats, checkConsoles, untilCaughtUp } from './consoles.ts';
import {
  checkLedger,
  checkProcesses,
  checkWishes,
  checkWorlds,
  type Inspection,
  startAll,
  untilSupervised,
} from './invariants.ts';
import { checkLeftovers } from './leftovers.ts';

const COMMAND_LINE = path.join(import.meta.dirname, '../../../dist/daemon/cli/main.js');

export interface AllChecksOptions {
  inspection: Inspection;
  daemon: RespawningDaemon;
  watchers: ReadonlyMap<string, ConsoleWatcher>;
  /** Called after each check. */
  note: (text: string) => void;
}

/** Checks everything after the last step, and stops Gamekeeper and all servers for the last two checks. */
export async function checkAll({ inspection, daemon, watchers, note }: AllChecksOptions) {
  const { home, onFault } = inspection;
  let archives = 0;
  let stats: ConsoleStats = { lines: 0, countedLines: 0, gameRuns: 0 };

  await check('every game process is supervised', async () => {
    await daemon.ready();
    await untilSupervised(inspection);
  });
  await check('servers are stopped or running as requested', () => checkWishes(inspection));
  await check('all servers start', () => startAll(inspection));
  await check('processes', () => checkProcesses(inspection));
  await check('worlds', () => checkWorlds(inspection));
  await check('what was acknowledged', () => checkLedger(inspection));
  await check('archives', async () => {
    archives = await checkArchives(inspection);
  });
  await check('viewers', () => untilCaughtUp({ home, watchers }));
  await check('everything stops', () => daemon.end(() => stopEverything(home)));
  await check('consoles', () => {
    stats = checkConsoles({ home, watchers }, onFault);
  });
  await check('leftovers', () => checkLeftovers(home, onFault));
  return { archives, ...stats };

  /** A failed check does not keep the others from running. */
  async function check(what: string, run: () => void | Promise<void>): Promise<void> {
    try {
      await run();
      note(`checked: ${what}`);
    } catch (error) {
      onFault(`${what}: ${(error as Error).message}`);
    }
  }
}

async function stopEverything(home: string): Promise<void> {
  const env = { ...process.env, GAMEKEEPER_HOME: home, CI: 'true' };
  await promisify(execFile)(process.execPath, [COMMAND_LINE, 'down', '--with-servers'], { env });
}
