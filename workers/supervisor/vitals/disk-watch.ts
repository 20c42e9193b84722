import { freeBytes } from '../../../shared/node/files/disk-space.ts';

/** The resolution of the charts. Milliseconds. */
const DISK_EVERY_MS = 10_000;

export interface DiskWatch {
  /** What this user may still write to the disk; `undefined` if that is unknown. */
  readonly freeBytes: number | undefined;
  stop(): void;
}

/** Measures the free space on the disk of a folder. The size of the folder itself would need a walk through all of its files. */
export function watchDisk(folder: string): DiskWatch {
  let free: number | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  /** One at a time: a network drive may hang. */
  async function measure(): Promise<void> {
    free = await freeBytes(folder).catch(() => undefined);
    if (!stopped) timer = setTimeout(() => void measure(), DISK_EVERY_MS);
  }
  void measure();

  return {
    get freeBytes() {
      return free;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
