import { statSync } from 'node:fs';
import { freeBytes, RESERVED_BYTES, requireSpace } from '../../../shared/node/files/disk-space.ts';
import { createMutex, type Mutex } from '../../../shared/node/primitives/mutex.ts';

/** Written to a disk before its free space is looked at again. */
const MOST_UNCHECKED_BYTES = 64 * 1024 * 1024;
/** The game writes as well. */
const CHECKED_EVERY_MS = 1_000;

interface Disk {
  mutex: Mutex;
  /** May be written until `checkAt`. */
  left: number;
  /** Milliseconds, as performance.now. */
  checkAt: number;
  /** What is being written. */
  claimed: number;
}

/** Of all files that this process writes, by device: many at once must not take more than one may. */
const disks = new Map<number, Disk>();

function diskOf(folder: string): Disk {
  const { dev } = statSync(folder);
  const known = disks.get(dev);
  if (known) return known;
  const disk = { mutex: createMutex(), left: 0, checkAt: 0, claimed: 0 };
  disks.set(dev, disk);
  return disk;
}

/**
 * Takes space for `bytes` on the disk of `folder`. The result is disposed of when they are written. Throws `insufficient_storage` if the game would
 * have less than RESERVED_BYTES.
 */
export async function takeSpace(folder: string, bytes: number): Promise<Disposable> {
  const disk = diskOf(folder);
  return await disk.mutex.run(async () => {
    if (disk.left < bytes || performance.now() >= disk.checkAt) {
      const available = (await freeBytes(folder)) - RESERVED_BYTES - disk.claimed;
      disk.left = Math.min(available, Math.max(MOST_UNCHECKED_BYTES, bytes));
      disk.checkAt = performance.now() + CHECKED_EVERY_MS;
    }
    if (disk.left < bytes) await requireSpace(folder, bytes + RESERVED_BYTES + disk.claimed, 'The game');
    disk.left -= bytes;
    return held(disk, bytes);
  });
}

/**
 * Keeps space for a copy on the disk of `folder`, until it is disposed of. `what` begins the message: "The copy". Throws `insufficient_storage` if
 * the game would have less than RESERVED_BYTES.
 */
export async function claimSpace(folder: string, bytes: number, what: string): Promise<Disposable> {
  const disk = diskOf(folder);
  return await disk.mutex.run(async () => {
    await requireSpace(folder, bytes + RESERVED_BYTES + disk.claimed, `${what}, with what the game needs to save,`);
    disk.left = 0;
    return held(disk, bytes);
  });
}

function held(disk: Disk, bytes: number): Disposable {
  disk.claimed += bytes;
  return {
    [Symbol.dispose]() {
      disk.claimed -= bytes;
    },
  };
}
