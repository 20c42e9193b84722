import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { writeFileAtomically } from '../files/atomic-file.ts';
import { readJsonRecord } from '../files/json-record.ts';
import type { Owner } from '../files/owner.ts';
import { identifyProcess, identityIn, isAlive, type ProcessIdentity } from './process-identity.ts';

/** How long a killed process may take to exit, milliseconds. */
const GONE_WITHIN_MS = 2_000;
const LOOK_MS = 5;

/** Writes the identity of a process to a file, which only its owner can read: this user by default. */
export async function recordProcess(file: string, pid: number | undefined, owner?: Owner): Promise<void> {
  const identity = pid === undefined ? undefined : await identifyProcess(pid);
  if (identity) await writeFileAtomically(file, JSON.stringify(identity), 0o600, owner);
}

/** Returns the recorded process, dead or alive, if the record can be read. */
export async function readProcess(file: string): Promise<ProcessIdentity | undefined> {
  return identityIn(await readJsonRecord(file).catch(() => undefined)); // unreadable, so the process is unknown
}

/** Kills the recorded process, if it lives, and removes the record. `group`: with the process group that it leads. */
export async function endRecorded(file: string, { group = false }: { group?: boolean } = {}): Promise<void> {
  const former = await readProcess(file);
  const deadline = performance.now() + GONE_WITHIN_MS;
  while (former && (await isAlive(former)) && performance.now() < deadline) {
    if (group) kill(-former.pid);
    kill(former.pid);
    await delay(LOOK_MS);
  }
  await rm(file, { recursive: true, force: true });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just exited, or belongs to another user.
  }
}
