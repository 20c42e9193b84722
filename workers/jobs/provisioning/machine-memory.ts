import { totalmem } from 'node:os';

/**
 * Memory that the servers of this machine can have, in bytes: the container's or the service's limit (cgroup) where that is less than what
 * the machine has. `constrained` is 0 or beyond all measure where there is no limit (nodejs.org/api/process.html, "constrainedMemory").
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
