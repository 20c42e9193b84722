import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Intent } from '../../shared/domain/instance/intent.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { readLivingGame, readLivingRecord } from '../../shared/node/processes/process-record.ts';
import { endRecorded, readProcess } from '../../shared/node/processes/recorded-process.ts';
import { isLost, readLeftRecords } from '../supervisors/lost-supervisor.ts';

export interface CleanOptions {
  home: Home;
  /** Whether an instance has this id. */
  isKnown: (id: string) => boolean;
  log: Logger;
}

/** An instance whose supervisor has ended without this daemon. */
export interface EndedSupervisor {
  id: string;
  /** What the server should do by now. */
  intent: Intent;
  /** Whether the supervisor died while it was needed, so another one has to continue. */
  isLost: boolean;
}

/** Files that are being written, and pipes that are being created. */
const UNFINISHED = /\.(?:tmp|new|terminal\.(?:output|input))$/;

/**
 * Removes the leftovers of killed processes from `run/instances`: stale records and sockets, and half-written files. To be called before
 * anything is started. Resolves to the instances whose supervisor left records, because it was killed or nobody has used it for a while.
 */
export async function cleanRunFolder({ home, isKnown, log }: CleanOptions): Promise<EndedSupervisor[]> {
  const folder = path.dirname(home.supervisorRecord('any'));
  const files = await readdir(folder);
  const ended: EndedSupervisor[] = [];
  for (const id of new Set(files.map((file) => file.split('.', 1).join()))) {
    await endUnready(home, id);
    const supervisor = await readLivingRecord(home.supervisorRecord(id));
    const game = await readLivingGame(home.gameRecord(id));
    const { pid } = supervisor ?? game ?? {};
    if (!isKnown(id) && pid !== undefined)
      log.warn({ instance: id, pid }, 'a process belongs to an instance that does not exist');
    if (supervisor) continue;
    await rm(home.supervisorRecord(id), { force: true });
    const unfinished = files.filter((file) => file.startsWith(`${id}.`) && UNFINISHED.test(file));
    for (const file of unfinished) await rm(path.join(folder, file), { force: true });
    if (process.platform !== 'win32') await rm(home.supervisorSocket(id), { force: true });
    const left = await readLeftRecords(home, id);
    // Supervisors of earlier versions leave only the record of a game.
    const intent = left.intent ?? (left.game && 'running');
    if (isKnown(id) && intent) ended.push({ id, intent, isLost: isLost(left) });
    if (!isKnown(id) || !isLost(left)) await rm(home.intentRecord(id), { force: true });
  }
  return ended;
}

/** Ends a supervisor that was still starting when its daemon was killed. It has no game yet, and would serve beside the next supervisor. */
async function endUnready(home: Home, id: string): Promise<void> {
  const start = home.supervisorStart(id);
  const [starting, ready] = await Promise.all([readProcess(start), readLivingRecord(home.supervisorRecord(id))]);
  if (starting?.pid === ready?.pid) await rm(start, { recursive: true, force: true });
  else await endRecorded(start);
}
