import { chmodSync, closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from '../../shared/node/files/atomic-file.ts';
import { readJsonRecord } from '../../shared/node/files/json-record.ts';
import { identifyProcess, identityIn, isAlive, isSameProcess } from '../../shared/node/processes/process-identity.ts';
import { StartupError } from '../startup/startup-error.ts';

/** How long a daemon that has just won may take to write down who it is, milliseconds. */
const WINNER_WRITES_MS = 1_000;
const LOOK_MS = 20;
/** SQLITE_BUSY: another process has the lock. */
const BUSY = 5;

/**
 * Makes this process the only daemon of a home. What decides is a lock that the kernel holds and takes back when its owner ends, however
 * that happens; SQLite is the way to one on every platform. `file` beside it says who the owner is, by pid and start time. Returns how
 * to give the lock back. Throws StartupError while another daemon lives.
 */
export async function lockHome(file: string): Promise<() => Promise<void>> {
  const self = await identifyProcess(process.pid);
  if (!self) throw new Error('this process cannot be found among the running ones');
  const guard = takeGuard(`${file}.guard`);
  if (!guard) throw alreadyRunning(await winner(file));
  try {
    // A daemon of a version that had no guard.
    const owner = identityIn(await readJsonRecord(file));
    if (owner && !isSameProcess(owner, self) && (await isAlive(owner))) throw alreadyRunning(owner.pid);
    await writeFileAtomically(file, `${JSON.stringify(self)}\n`);
  } catch (error) {
    guard.close();
    throw error;
  }
  return async () => {
    const owner = identityIn(await readJsonRecord(file));
    if (owner && isSameProcess(owner, self)) await rm(file, { force: true });
    // The guard's file stays: whoever waits for a lock on it must not have another file than who comes next.
    guard.close();
  };
}

/** `undefined`: another process has it. */
function takeGuard(file: string): DatabaseSync | undefined {
  makePrivate(file);
  const guard = new DatabaseSync(file);
  try {
    guard.exec('BEGIN EXCLUSIVE');
    return guard;
  } catch (error) {
    guard.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return undefined;
    throw error;
  }
}

/** SQLite makes files that everybody may read; its journal is as private as what it belongs to. */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600); // of a version that left that to SQLite
}

async function winner(file: string): Promise<number | undefined> {
  for (const deadline = performance.now() + WINNER_WRITES_MS; performance.now() < deadline; await sleep(LOOK_MS)) {
    const owner = identityIn(await readJsonRecord(file));
    if (owner && (await isAlive(owner))) return owner.pid;
  }
  return undefined;
}

function alreadyRunning(pid: number | undefined): StartupError {
  return new StartupError(
    `Gamekeeper is already running${pid === undefined ? '' : ` (pid ${pid})`}.\n` +
      'Use it with "npx gamekeeper", end it with "npx gamekeeper down", or set GAMEKEEPER_HOME to another folder for a second one.',
  );
}
