import type { Home } from '../../../shared/node/files/home.ts';
import { readJsonRecord } from '../../../shared/node/files/json-record.ts';
import { identityIn, isAlive, type ProcessIdentity } from '../../../shared/node/processes/process-identity.ts';

/** The process in a record. */
export interface RecordedProcess extends ProcessIdentity {
  isAlive: boolean;
}

/** Returns the process in a record, or `undefined` if there is none or it cannot be checked. Does not change the file. */
export async function readProcessRecord(file: string): Promise<RecordedProcess | undefined> {
  try {
    const identity = identityIn(await readJsonRecord(file));
    return identity && { ...identity, isAlive: await isAlive(identity) };
  } catch {
    return undefined;
  }
}

/** Returns the daemon that holds the data directory, also while it starts, ends or hangs. */
export async function lockOwner(home: Home): Promise<ProcessIdentity | undefined> {
  const owner = await readProcessRecord(home.daemonLock);
  return owner?.isAlive ? owner : undefined;
}
