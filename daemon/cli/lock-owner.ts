import { readFile } from 'node:fs/promises';
import type { Home } from '../../shared/node/home.ts';
import { isAlive, type ProcessIdentity } from '../../shared/node/process-identity.ts';

/** The daemon that has the data directory now, also while it only begins, ends or hangs; read only. */
export async function lockOwner(home: Home): Promise<ProcessIdentity | undefined> {
  try {
    const { pid, startTime } = JSON.parse(await readFile(home.daemonLock, 'utf8')) as Partial<ProcessIdentity>;
    if (typeof pid !== 'number' || typeof startTime !== 'string') return undefined;
    return (await isAlive({ pid, startTime })) ? { pid, startTime } : undefined;
  } catch {
    return undefined; // no file, or not one of ours: no daemon holds it
  }
}
