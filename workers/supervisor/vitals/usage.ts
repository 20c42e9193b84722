import type { ProcessSample } from '../process/process-tree.ts';
import { sampleProcessTree, TICKS_PER_SECOND } from '../process/process-tree.ts';

export interface Usage {
  /** Of the whole process tree; 100 is one core. */
  cpuPercent: number;
  /** Resident memory of the process tree, MiB. */
  memoryUsedMb: number;
}

/** Returns the usage since the last call, or since the start of the process; `undefined` once the process is gone. */
export type UsageMeter = () => Promise<Usage | undefined>;

export interface UsageMeterOptions {
  pid: number;
  /** The start of the process, by the clock of `now`. */
  startedAt: number;
  now: () => number;
}

export function createUsageMeter(options: UsageMeterOptions): UsageMeter {
  return process.platform === 'linux' ? linuxMeter(options) : portableMeter(options);
}

export interface TreeSample {
  at: number;
  processes: readonly ProcessSample[];
}

/** Returns the usage between two samples. A new process counts from its start, an ended one does not count. */
export function usageBetween(before: TreeSample, after: TreeSample): Usage {
  const ticksBefore = new Map(before.processes.map(({ pid, cpuTicks }) => [pid, cpuTicks]));
  let ticks = 0;
  let residentKib = 0;
  for (const { pid, cpuTicks, residentKib: kib } of after.processes) {
    ticks += Math.max(0, cpuTicks - (ticksBefore.get(pid) ?? 0)); // a reused pid starts at 0
    residentKib += kib;
  }
  const seconds = Math.max(1, after.at - before.at) / 1000;
  return {
    cpuPercent: Math.round((ticks / TICKS_PER_SECOND / seconds) * 1000) / 10,
    memoryUsedMb: Math.round(residentKib / 1024),
  };
}

function linuxMeter({ pid, startedAt, now }: UsageMeterOptions): UsageMeter {
  let before: TreeSample = { at: startedAt, processes: [] };
  return async () => {
    const after: TreeSample = { at: now(), processes: sampleProcessTree(pid) };
    const usage = usageBetween(before, after);
    before = after;
    return after.processes.length === 0 ? undefined : usage;
  };
}

/** Asks the system's own tools, which measure the process without its descendants. */
function portableMeter({ pid }: UsageMeterOptions): UsageMeter {
  return async () => {
    const { default: pidusage } = await import('pidusage');
    // Throws for a process that has just ended.
    const stats = await pidusage(pid).catch(() => undefined);
    return (
      stats && { cpuPercent: Math.round(stats.cpu * 10) / 10, memoryUsedMb: Math.round(stats.memory / 1024 / 1024) }
    );
  };
}
