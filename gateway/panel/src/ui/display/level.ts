/** How bad a value is: shown in the colour of that role, never by colour alone. */
export type Level = 'good' | 'warning' | 'danger';

interface Threshold {
  warning: number;
  danger: number;
}

/** Per second. Minecraft aims at 20; below 15, players notice. */
const TPS: Threshold = { warning: 19, danger: 15 };

/** Parts of the heap's limit. Java needs memory beside its heap, so that a little more than all of it is usual. */
const MEMORY: Threshold = { warning: 1.1, danger: 1.4 };

/** Parts of the disk that are used. */
const DISK: Threshold = { warning: 0.85, danger: 0.95 };

/** Parts of the computer's memory that are used. A system that has none left ends a process, often the largest server. */
const HOST_MEMORY: Threshold = { warning: 0.9, danger: 0.96 };

/** Rates a server's ticks per second; without a value, all is well. */
export function tpsLevel(tps: number | undefined): Level {
  return tps === undefined ? 'good' : levelFrom(-tps, { warning: -TPS.warning, danger: -TPS.danger });
}

/** Rates the memory of a server's process against the limit of its heap, both in the same unit. */
export function memoryLevel(used: number | undefined, limit: number | undefined): Level {
  return used === undefined || !limit ? 'good' : levelFrom(used / limit, MEMORY);
}

/** Rates the used part of a disk, both in the same unit. */
export function diskLevel(used: number, total: number): Level {
  return total === 0 ? 'good' : levelFrom(used / total, DISK);
}

interface HostMemory {
  usedBytes: number;
  totalBytes: number;
}

/** Rates the used part of a computer's memory. `platform`: of Node.js; absent until it is known. */
export function hostMemoryLevel({ usedBytes, totalBytes }: HostMemory, platform: string | undefined): Level {
  // On macOS, Node.js counts caches as used (os.freemem), and they nearly fill the memory of any computer that has run for a while.
  if (platform === undefined || platform === 'darwin' || totalBytes === 0) return 'good';
  return levelFrom(usedBytes / totalBytes, HOST_MEMORY);
}

function levelFrom(value: number, { warning, danger }: Threshold): Level {
  if (value >= danger) return 'danger';
  return value >= warning ? 'warning' : 'good';
}
