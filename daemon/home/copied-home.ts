import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../shared/node/files/atomic-file.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { isMissing } from '../../shared/node/files/is-missing.ts';

/** In `run/`: records of the daemon and its children, and sockets. */
const OF_DAEMON = /^(?:daemon\.json|daemon\.lock|.+\.process|.+\.sock)$/;
/** In `run/instances/`: processes, and what they were doing. Marks of what a folder holds stay: they are true for the copy as well. */
const OF_INSTANCE = /\.(?:game|installer|intent|sock|starting|(?<!\.restore\.)json)$/;

/**
 * Removes the records of processes from a data directory that was copied: they name the processes of the original, which this daemon would
 * otherwise control or end. The caller must hold the home's lock, and call this before it reads any record.
 */
export async function forgetOriginal(home: Home): Promise<void> {
  const mark = path.join(home.run, 'folder');
  const identity = await identityOf(home.run);
  const known = (await isMissing(mark)) ? undefined : await readFile(mark, 'utf8');
  if (known === identity) return;
  // Without a mark, an earlier version has used this directory.
  if (known !== undefined) {
    await removeFrom(home.run, OF_DAEMON);
    await removeFrom(path.dirname(home.supervisorRecord('any')), OF_INSTANCE);
  }
  await writeFileAtomically(mark, identity);
}

/** A folder that is moved or renamed keeps its number, a copy gets another one. */
async function identityOf(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  return `${dev}:${ino}`;
}

async function removeFrom(folder: string, names: RegExp): Promise<void> {
  for (const name of await readdir(folder)) if (names.test(name)) await rm(path.join(folder, name), { force: true });
}
