import { totalmem } from 'node:os';

/**
 * Memory that the servers of this machine can have, in bytes: the container's or the service's limit (cgroup) where that is less than what
 * the machine has. `constrained` is 0 or beyond all measure where there is no limit (nodejs.org/api/process.html, "constrainedMemory").
 */
export function machineMemory({ total, constrained }: MemoryFigures = figures()): number {
  return constrained > 0 ? Math.min(total, constrained) : total;
}

interface MemoryFigures {
  total: number;
  constrained: number;
}

function figures(): MemoryFigures {
  return { total: totalmem(), constrained: process.constrainedMemory() };
}
