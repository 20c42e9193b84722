import { readdir, rm, stat } from 'node:fs/promises';
import { uptime } from 'node:os';
import path from 'node:path';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { isOfThisBoot } from '../../shared/node/processes/process-identity.ts';
import { readLivingGame, readLivingRecord } from '../../shared/node/processes/process-record.ts';
import { endRecorded, readProcess } from '../../shared/node/processes/recorded-process.ts';

export interface SweepOptions {
  home: Home;
  /** Whether there is an instance of this id. */
  isKnown: (id: string) => boolean;
  log: Logger;
}

/**
 * Removes what processes that were killed have left in `run/instances`: records and sockets that nobody serves, files that were not written
 * to their end. To be called before anything is started. Resolves to the instances whose supervisor was lost under a game, whether that
 * goes on or has ended since.
 */
export async function sweepRun({ home, isKnown, log }: SweepOptions): Promise<string[]> {
  const folder = path.dirname(home.supervisorRecord('any'));
  const files = await readdir(folder);
  const lost: string[] = [];
  for (const id of new Set(files.map((file) => file.split('.', 1).join()))) {
    await endUnready(home, id);
    const supervisor = await readLivingRecord(home.supervisorRecord(id)); // removes a stale one
    const game = await readLivingGame(home.gameRecord(id));
    const { pid } = supervisor ?? game ?? {};
    if (!isKnown(id) && pid !== undefined)
      log.warn({ instance: id, pid }, 'a process of an instance that there is not');
    if (supervisor) continue;
    const unfinished = files.filter((file) => file.startsWith(`${id}.`) && /\.(?:tmp|new)$/.test(file));
    for (const file of unfinished) await rm(path.join(folder, file), { force: true });
    if (process.platform !== 'win32') await rm(home.supervisorSocket(id), { force: true });
    if (isKnown(id) && (game || (await hasEndedAlone(home.gameRecord(id))))) lost.push(id);
  }
  return lost;
}

/** Whether the machine still runs that a game is on record of: its supervisor, had it seen the end, would have removed the record. */
async function hasEndedAlone(file: string): Promise<boolean> {
  const game = await readProcess(file);
  if (!game) return false;
  if (game.boot !== undefined) return isOfThisBoot(game);
  // Not started yet, or on a machine that does not number its starts.
  const { mtimeMs } = await stat(file);
  return mtimeMs >= Date.now() - uptime() * 1000;
}

/**
 * Ends a supervisor that was just being started when its daemon was killed: it has no game yet, nobody knows it, and it would serve beside
 * the next one.
 */
async function endUnready(home: Home, id: string): Promise<void> {
  const start = home.supervisorStart(id);
  const [starting, ready] = await Promise.all([readProcess(start), readLivingRecord(home.supervisorRecord(id))]);
  if (starting?.pid === ready?.pid) await rm(start, { recursive: true, force: true });
  else await endRecorded(start);
}
