import type { ProcessSample } from '../process/process-tree.ts';
import { sampleProcessTree, TICKS_PER_SECOND } from '../process/process-tree.ts';

export interface Usage {
  /** 100 = one core, whole process tree. */
  cpuPercent: number;
  /** Resident memory of the process tree, MiB. */
  memoryUsedMb: number;
}

/** What was used since the last call, or since the process was started; `undefined` when it is gone. */
export type UsageMeter = () => Promise<Usage | undefined>;

export interface UsageMeterOptions {
  pid: number;
  /** When the process was started, by `now`. */
  startedAt: number;
  /** Milliseconds. */
  now: () => number;
}

/** A meter for a process and its descendants. */
export function createUsageMeter(options: UsageMeterOptions): UsageMeter {
  return process.platform === 'linux' ? linuxMeter(options) : portableMeter(options);
}

export interface TreeSample {
  at: number;
  processes: readonly ProcessSample[];
}

/** What happened between two samples. A process that is new counts from its start, one that is gone no longer. */
export function usageBetween(before: TreeSample, after: TreeSample): Usage {
  const ticksBefore = new Map(before.processes.map(({ pid, cpuTicks }) => [pid, cpuTicks]));
  let ticks = 0;
  let residentKib = 0;
  for (const { pid, cpuTicks, residentKib: kib } of after.processes) {
    ticks += Math.max(0, cpuTicks - (ticksBefore.get(pid) ?? 0)); // a pid that was used again starts at 0
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

/** Elsewhere the system's own tools are asked; the process alone, since they do not know of trees. */
function portableMeter({ pid }: UsageMeterOptions): UsageMeter {
  return async () => {
    const { default: pidusage } = await import('pidusage');
    // A process that has just ended has no usage.
    const stats = await pidusage(pid).catch(() => undefined);
    return (
      stats && { cpuPercent: Math.round(stats.cpu * 10) / 10, memoryUsedMb: Math.round(stats.memory / 1024 / 1024) }
    );
  };
}
