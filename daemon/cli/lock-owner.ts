import { readFile } from 'node:fs/promises';
import type { Home } from '../../shared/node/home.ts';
import { isAlive, type ProcessIdentity } from '../../shared/node/process-identity.ts';

/** The process that a record of ours names. */
export interface Recorded extends ProcessIdentity {
  isAlive: boolean;
}

/** Reads a record and changes nothing; undefined: there is none, or not one of ours. */
export async function readRecord(file: string): Promise<Recorded | undefined> {
  try {
    const { pid, startTime } = JSON.parse(await readFile(file, 'utf8')) as Partial<ProcessIdentity>;
    if (typeof pid !== 'number' || typeof startTime !== 'string') return undefined;
    return { pid, startTime, isAlive: await isAlive({ pid, startTime }) };
  } catch {
    return undefined;
  }
}

/** The daemon that has the data directory now, also while it only begins, ends or hangs. */
export async function lockOwner(home: Home): Promise<ProcessIdentity | undefined> {
  const owner = await readRecord(home.daemonLock);
  return owner?.isAlive ? { pid: owner.pid, startTime: owner.startTime } : undefined;
}
