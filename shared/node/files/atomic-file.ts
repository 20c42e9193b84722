import { randomBytes } from 'node:crypto';
import { fchownSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
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
