import { stat } from 'node:fs/promises';
import path from 'node:path';
import { requireSpace } from '../../../shared/node/files/disk-space.ts';
import { isMissing } from '../../../shared/node/files/is-missing.ts';

/** What will be written somewhere below a folder, which need not be there yet. */
export interface Need {
  directory: string;
  bytes: number;
}

/** Throws `insufficient_storage` unless all of it fits: what goes to the same disk is added up. */
export async function requireDiskSpace(needs: readonly Need[]): Promise<void> {
  const disks = new Map<number, Need>();
  for (const { directory, bytes } of needs) {
    const existing = await nearest(directory);
    const { dev } = await stat(existing);
    disks.set(dev, { directory: existing, bytes: bytes + (disks.get(dev)?.bytes ?? 0) });
  }
  for (const { directory, bytes } of disks.values()) await requireSpace(directory, bytes, 'The restore');
}

async function nearest(directory: string): Promise<string> {
  return (await isMissing(directory)) ? nearest(path.dirname(directory)) : directory;
}
