import { open, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Relative paths of all files there, but for the marker of a folder store. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== '.gamekeeper-store')
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

/** Changes one byte in the midst of a file. */
export async function flipByte(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, 12_345);
    await handle.write(Buffer.of(buffer[0]! ^ 1), 0, 1, 12_345);
  } finally {
    await handle.close();
  }
}
