import { lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Bytes of a build's files. A build is never changed, only replaced: its hundreds of files are looked at once, however often and by
 * however many it is asked for.
 */
export function buildSizes(): (folder: string) => Promise<number> {
  const known = new Map<string, { stamp: string; bytes: Promise<number> }>();
  return async (folder) => {
    const { ino, mtimeMs } = await stat(folder);
    const stamp = `${ino} ${mtimeMs}`;
    const before = known.get(folder);
    if (before?.stamp === stamp) return before.bytes;
    const bytes = sizeOf(folder);
    known.set(folder, { stamp, bytes });
    bytes.catch(() => known.delete(folder)); // the caller hears it
    return bytes;
  };
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const item of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (item.isFile()) bytes += (await lstat(path.join(item.parentPath, item.name))).size;
  return bytes;
}
