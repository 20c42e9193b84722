import { randomBytes } from 'node:crypto';
import { fchownSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { giveTo, type Owner } from './owner.ts';

/**
 * Replaces a file so that after any crash it is complete, old or new: writes a temporary file beside it, then fsync, rename, and fsync of the
 * folder. `mode` as for chmod. Another `owner` gets the file if this process may give it away.
 */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array,
  mode = 0o600,
  owner?: Owner,
): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const handle = await open(temporary, 'wx', mode);
  try {
    giveTo(owner, (uid, gid) => fchownSync(handle.fd, uid, gid));
    await handle.writeFile(content);
    await handle.sync();
    await handle.close();
    await rename(temporary, file);
  } catch (error) {
    await handle.close().catch(() => undefined); // closed already if the rename failed
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(path.dirname(file));
}

const TEMPORARY = /\.[0-9a-f]{12}\.tmp$/;

/**
 * Removes what killed processes left of `writeFileAtomically` in a folder: of all files, or of those with these names. Nobody else may write them
 * meanwhile.
 */
export async function removeUnfinishedWrites(directory: string, names?: readonly string[]): Promise<void> {
  for (const name of await readdir(directory))
    if (TEMPORARY.test(name) && (names?.includes(name.replace(TEMPORARY, '')) ?? true))
      await rm(path.join(directory, name), { force: true });
}

/** Makes a rename in this folder durable. Windows has no such call and needs none. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
