import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

/** The content of vanilla's `session.lock` since 1.16. */
const SNOWMAN = Buffer.from('☃', 'utf8');

/** Writes `session.lock` and keeps it open while the world is in use. Like vanilla's, the file remains after the server has stopped. */
export async function holdSessionLock(worldFolder: string): Promise<FileHandle> {
  const handle = await open(join(worldFolder, 'session.lock'), 'w');
  await handle.write(SNOWMAN);
  return handle;
}
