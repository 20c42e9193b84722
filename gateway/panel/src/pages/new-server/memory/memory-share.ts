import type { Instance } from '../../../api/transport/client.ts';
import { phaseOf } from '../../../ui/display/phase.ts';
import { GIGABYTE_MB } from '../create-values.ts';

/** For the operating system and Gamekeeper. MiB. */
const SYSTEM_MB = 1_024;

/** The least that every computer is offered: the default of a server. GB. */
const SMALLEST_RANGE_GB = 2;

/** What a new server leaves of the computer's memory. MiB. */
export interface MemoryShare {
  leftMb: number;
  /** What the servers that run now may use. */
  othersMb: number;
  /** Too little is left for the system and the servers that run now. */
  isTight: boolean;
}

export function memoryShare(wantedMb: number, totalMb: number, others: readonly Instance[]): MemoryShare {
  const leftMb = Math.max(0, totalMb - wantedMb);
  const running = others.filter((other) => !['stopped', 'crashed', 'sleeping'].includes(phaseOf(other)));
  const othersMb = running.reduce((sum, { memoryMb = 0 }) => sum + memoryMb, 0);
  return { leftMb, othersMb, isTight: leftMb < othersMb + SYSTEM_MB };
}

/** Returns the end of the slider in GB: all of the memory, in whole steps. */
export function memoryRange(totalMb: number, stepGb: number): number {
  return Math.max(SMALLEST_RANGE_GB, Math.floor(totalMb / GIGABYTE_MB / stepGb) * stepGb);
}
