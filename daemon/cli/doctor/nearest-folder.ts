import { stat } from 'node:fs/promises';
import path from 'node:path';

/** The folder itself, or the nearest above it that is there: where it would be made. */
export async function nearestFolder(folder: string): Promise<string> {
  const there = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false, // What cannot be looked at is not there for us either.
  );
  const parent = path.dirname(folder);
  return there || parent === folder ? folder : nearestFolder(parent);
}
