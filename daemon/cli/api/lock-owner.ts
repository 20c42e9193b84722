import { readFile } from 'node:fs/promises';
import type { Home } from '../../../shared/node/files/home.ts';
import { identityIn, isAlive, type ProcessIdentity } from '../../../shared/node/processes/process-identity.ts';

/** The process that a record of ours names. */
export interface Recorded extends ProcessIdentity {
  isAlive: boolean;
}

/** Reads a record and changes nothing; undefined: there is none, or not one of ours. */
export async function readRecord(file: string): Promise<Recorded | undefined> {
  try {
    const identity = identityIn(JSON.parse(await readFile(file, 'utf8')));
    return identity && { ...identity, isAlive: await isAlive(identity) };
  } catch {
    return undefined;
  }
}

/** The daemon that has the data directory now, also while it only begins, ends or hangs. */
export async function lockOwner(home: Home): Promise<ProcessIdentity | undefined> {
  const owner = await readRecord(home.daemonLock);
  return owner?.isAlive ? owner : undefined;
}
