import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from '../../shared/node/files/atomic-file.ts';
import { lockFile } from '../../shared/node/files/exclusive-file.ts';
import { readJsonRecord } from '../../shared/node/files/json-record.ts';
import { identifyProcess, identityIn, isAlive, isSameProcess } from '../../shared/node/processes/process-identity.ts';
import { StartupError } from '../../shared/node/processes/startup-error.ts';

/** How long a daemon that has just taken the lock may take to write its record, milliseconds. */
const OWNER_WRITES_MS = 1_000;
const LOOK_MS = 20;

/**
 * Makes this process the only daemon of a home. Resolves to a function that releases the lock. Throws StartupError while another daemon lives.
 * `file` records the owner's pid and start time. `prepare` runs once no other daemon can take the lock, before that record is read.
 */
export async function lockHome(
  file: string,
  prepare: () => Promise<void> = async () => undefined,
): Promise<() => Promise<void>> {
  const self = await identifyProcess(process.pid);
  if (!self) throw new Error('this process was not found among the running ones');
  const release = lockFile(`${file}.guard`);
  if (!release) throw alreadyRunning(await ownerOf(file));
  try {
    await prepare();
    // A daemon of a version without the guard file.
    const owner = identityIn(await readJsonRecord(file));
    if (owner && !isSameProcess(owner, self) && (await isAlive(owner))) throw alreadyRunning(owner.pid);
    await writeFileAtomically(file, `${JSON.stringify(self)}\n`);
  } catch (error) {
    release();
    throw error;
  }
  return async () => {
    const owner = identityIn(await readJsonRecord(file));
    if (owner && isSameProcess(owner, self)) await rm(file, { force: true });
    release();
  };
}

async function ownerOf(file: string): Promise<number | undefined> {
  for (const deadline = performance.now() + OWNER_WRITES_MS; performance.now() < deadline; await sleep(LOOK_MS)) {
    const owner = identityIn(await readJsonRecord(file));
    if (owner && (await isAlive(owner))) return owner.pid;
  }
  return undefined;
}

function alreadyRunning(pid: number | undefined): StartupError {
  return new StartupError(
    `Gamekeeper is already running${pid === undefined ? '' : ` (pid ${pid})`}.\n` +
      'Use it with "npx gamekeeper", stop it with "npx gamekeeper down", or set GAMEKEEPER_HOME to another folder to run a second one.',
  );
}
