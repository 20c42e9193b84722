import { stat } from 'node:fs/promises';
import path from 'node:path';

/** Returns the folder itself, or its nearest existing ancestor. */
export async function nearestFolder(folder: string): Promise<string> {
  const exists = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const parent = path.dirname(folder);
  return exists || parent === folder ? folder : nearestFolder(parent);
}
