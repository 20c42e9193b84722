import { stat } from 'node:fs/promises';
import path from 'node:path';

/** Returns the folder, or the nearest existing one above it, where it would be created. */
export async function nearestFolder(folder: string): Promise<string> {
  const exists = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const parent = path.dirname(folder);
  return exists || parent === folder ? folder : nearestFolder(parent);
}
