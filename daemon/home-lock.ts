import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { identifyProcess, isAlive, type ProcessIdentity } from '../shared/node/process-identity.ts';
import { StartupError } from './startup-error.ts';

/** More rounds than daemons that anybody starts at once; each lost round means that another one got further. */
const MAX_ROUNDS = 20;

/**
 * Makes this process the only daemon of a home, by a lock file with its pid and start time. A lock whose owner is dead, or whose
 * pid now belongs to another program, is taken over. Returns how to give it back. Throws StartupError while its owner lives.
 */
export async function lockHome(file: string): Promise<() => Promise<void>> {
  const self = await identifyProcess(process.pid);
  if (!self) throw new Error('this process cannot be found among the running ones');
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (await acquire(file, self)) return () => release(file, self);
    const owner = await readOwner(file);
    if (owner && (await isAlive(owner))) throw alreadyRunning(owner.pid);
    await setAside(file);
  }
  throw new StartupError(`The lock ${file} cannot be had: other daemons are starting at the same time. Try again.`);
}

/** A link appears whole or not at all, unlike a file that is created first and written to afterwards. */
async function acquire(file: string, self: ProcessIdentity): Promise<boolean> {
  const own = besides(file);
  await writeFile(own, `${JSON.stringify(self)}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

/**
 * Moves a dead owner's lock away. Two daemons may see the same dead lock: one moves it and takes its place, and then the other's
 * move catches the living lock of the first, which it puts back.
 */
async function setAside(file: string): Promise<void> {
  const aside = besides(file);
  try {
    await rename(file, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  const owner = await readOwner(aside);
  if (owner && (await isAlive(owner))) await link(aside, file);
  await rm(aside, { force: true });
}

async function release(file: string, self: ProcessIdentity): Promise<void> {
  const owner = await readOwner(file);
  if (owner?.pid === self.pid && owner.startTime === self.startTime) await rm(file, { force: true });
}

/** The identity in a lock file; `undefined` if the file is gone or is not one of ours. */
async function readOwner(file: string): Promise<ProcessIdentity | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    const { pid, startTime } = JSON.parse(text) as Partial<ProcessIdentity>;
    return typeof pid === 'number' && typeof startTime === 'string' ? { pid, startTime } : undefined;
  } catch {
    // Not JSON: whatever wrote it, it was no daemon that could still be running.
    return undefined;
  }
}

function alreadyRunning(pid: number): StartupError {
  return new StartupError(
    `Gamekeeper is already running (pid ${pid}).\n` +
      'Use it with "npx gamekeeper", end it with "npx gamekeeper down", or set GAMEKEEPER_HOME to another folder for a second one.',
  );
}

function besides(file: string): string {
  return `${file}.${randomBytes(6).toString('hex')}`;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
