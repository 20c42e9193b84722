import { readdir, rm, stat } from 'node:fs/promises';
import { uptime } from 'node:os';
import path from 'node:path';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { isOfThisBoot } from '../../shared/node/processes/process-identity.ts';
import { readLivingGame, readLivingRecord } from '../../shared/node/processes/process-record.ts';
import { endRecorded, readProcess } from '../../shared/node/processes/recorded-process.ts';

export interface CleanOptions {
  home: Home;
  /** Whether an instance has this id. */
  isKnown: (id: string) => boolean;
  log: Logger;
}

/**
 * Removes the leftovers of killed processes from `run/instances`: stale records and sockets, and half-written files. To be called before
 * anything is started. Resolves to the instances whose supervisor died under a game, whether the game still runs or not.
 */
export async function cleanRunFolder({ home, isKnown, log }: CleanOptions): Promise<string[]> {
  const folder = path.dirname(home.supervisorRecord('any'));
  const files = await readdir(folder);
  const lost: string[] = [];
  for (const id of new Set(files.map((file) => file.split('.', 1).join()))) {
    await endUnready(home, id);
    const supervisor = await readLivingRecord(home.supervisorRecord(id)); // removes a stale one
    const game = await readLivingGame(home.gameRecord(id));
    const { pid } = supervisor ?? game ?? {};
    if (!isKnown(id) && pid !== undefined)
      log.warn({ instance: id, pid }, 'a process belongs to an instance that does not exist');
    if (supervisor) continue;
    const unfinished = files.filter((file) => file.startsWith(`${id}.`) && /\.(?:tmp|new)$/.test(file));
    for (const file of unfinished) await rm(path.join(folder, file), { force: true });
    if (process.platform !== 'win32') await rm(home.supervisorSocket(id), { force: true });
    if (isKnown(id) && (game || (await hasEndedAlone(home.gameRecord(id))))) lost.push(id);
  }
  return lost;
}

/** Returns whether a recorded game ended, since the last boot, without its supervisor, which would have removed the record. */
async function hasEndedAlone(file: string): Promise<boolean> {
  const game = await readProcess(file);
  if (!game) return false;
  if (game.boot !== undefined) return isOfThisBoot(game);
  // The game was not started yet, or the system has no boot id.
  const { mtimeMs } = await stat(file);
  return mtimeMs >= Date.now() - uptime() * 1000;
}

/** Ends a supervisor that was still starting when its daemon was killed. It has no game yet, and would serve beside the next supervisor. */
async function endUnready(home: Home, id: string): Promise<void> {
  const start = home.supervisorStart(id);
  const [starting, ready] = await Promise.all([readProcess(start), readLivingRecord(home.supervisorRecord(id))]);
  if (starting?.pid === ready?.pid) await rm(start, { recursive: true, force: true });
  else await endRecorded(start);
}
