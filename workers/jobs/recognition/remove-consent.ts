import { rm } from 'node:fs/promises';
import path from 'node:path';

/** Removes `eula.txt` from an unpacked archive: a start would take a stranger's file for the owner's acceptance. */
export async function removeConsent(folder: string): Promise<void> {
  await rm(path.join(folder, 'eula.txt'), { recursive: true, force: true });
}
