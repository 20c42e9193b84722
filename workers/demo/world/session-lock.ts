import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

/** Vanilla's mark in `session.lock` since 1.16: a snowman. */
const SNOWMAN = Buffer.from('☃', 'utf8');

/** Writes `session.lock` and keeps it open for as long as the world is in use. The file outlives the server, as vanilla's does. */
export async function holdSessionLock(worldFolder: string): Promise<FileHandle> {
  const handle = await open(join(worldFolder, 'session.lock'), 'w');
  await handle.write(SNOWMAN);
  return handle;
}
