import { statfs } from 'node:fs/promises';
import { cpus, freemem, totalmem } from 'node:os';
import type { TelemetryReport } from '../../shared/node/link/telemetry.ts';

export type MachineUsage = Pick<TelemetryReport, 'cpuPercent' | 'memory' | 'disk'>;

/** Returns a function that reads how busy this machine is: CPU since the call before, or since this one. `folder` tells the disk. */
export function createMachineUsage(folder: string | undefined): () => Promise<MachineUsage> {
  let last = cpuTimes();
  return async () => {
    const now = cpuTimes();
    const all = now.all - last.all;
    const cpuPercent = all > 0 ? Math.max(0, Math.min(100, (100 * (now.busy - last.busy)) / all)) : 0;
    last = now;
    const totalBytes = totalmem();
    const disk = await diskOf(folder);
    return {
      cpuPercent: Math.round(cpuPercent * 10) / 10,
      memory: { usedBytes: totalBytes - freemem(), totalBytes },
      ...(disk && { disk }),
    };
  };
}

function cpuTimes(): { busy: number; all: number } {
  const sum = { busy: 0, all: 0 };
  for (const { times } of cpus()) {
    const busy = times.user + times.nice + times.sys + times.irq;
    sum.busy += busy;
    sum.all += busy + times.idle;
  }
  return sum;
}

async function diskOf(folder: string | undefined): Promise<MachineUsage['disk']> {
  if (folder === undefined) return undefined;
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return undefined; // The report goes on without it.
  }
}
