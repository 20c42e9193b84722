import { totalmem } from 'node:os';

/**
 * Returns the memory available to servers on this machine, in bytes: the limit of the container or service (cgroup) if it is lower than the
 * machine's memory. `constrained` is 0 or huge without a limit (nodejs.org/api/process.html, "constrainedMemory").
 */
export function machineMemory({ total, constrained }: MemoryStats = stats()): number {
  return constrained > 0 ? Math.min(total, constrained) : total;
}

interface MemoryStats {
  total: number;
  constrained: number;
}

function stats(): MemoryStats {
  return { total: totalmem(), constrained: process.constrainedMemory() };
}
