const MIB = 1024 ** 2;
/** The memory to suggest from how many mods on, the largest first. A guess: no index says what its mods need. MiB. */
const MEMORY: readonly { mods: number; memoryMb: number }[] = [
  { mods: 150, memoryMb: 8_192 },
  { mods: 50, memoryMb: 6_144 },
  { mods: 0, memoryMb: 4_096 },
];
/** The default of a server. MiB. */
const LEAST_MEMORY_MB = 2_048;

/** Returns the memory to suggest: never more than half of the machine's, unless that is less than any server gets. MiB. */
export function packMemory(mods: number, machineBytes: number): number {
  const { memoryMb } = MEMORY.find((one) => mods >= one.mods)!;
  return Math.max(LEAST_MEMORY_MB, Math.min(memoryMb, Math.floor(machineBytes / MIB / 2)));
}
