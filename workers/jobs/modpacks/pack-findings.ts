import type { Recognition } from '../../../shared/schema/import.ts';
import { PACK_INDEX } from '../../pool/task-types.ts';
import type { Recognised } from '../import/to-request.ts';
import type { Pack } from './pack-index.ts';

const MIB = 1024 ** 2;
/** The memory to suggest from how many mods on, the largest first. A guess: no index says what its mods need. MiB. */
const MEMORY: readonly { mods: number; memoryMb: number }[] = [
  { mods: 150, memoryMb: 8_192 },
  { mods: 50, memoryMb: 6_144 },
  { mods: 0, memoryMb: 4_096 },
];
/** The default of a server. MiB. */
const LEAST_MEMORY_MB = 2_048;

/** Returns what a modpack says about its server. `archive`: what the caller knows it by. `machineBytes`: the memory of this machine. Pure. */
export function packFindings(archive: string, pack: Pack, machineBytes: number): Recognised {
  const fact = (value: string) => ({ value, from: PACK_INDEX, sure: 'certain' as const });
  const { software, version, build, forPlayers } = pack;
  const recognition: Recognition = {
    directory: archive,
    software: fact(software),
    version: fact(version),
    ...(build !== undefined && { build: fact(build) }),
    memoryMb: { value: packMemory(pack, machineBytes), from: PACK_INDEX, sure: 'guess' },
    notes: forPlayers > 0 ? [`${forPlayers} of its files are only for players, and are not installed.`] : [],
    missing: [],
  };
  return { recognition, java: undefined, newerJava: undefined };
}

/** Never more than half of the machine's, unless that is less than any server gets. MiB. */
function packMemory({ files }: Pick<Pack, 'files'>, machineBytes: number): number {
  const mods = files.filter(({ path }) => path.startsWith('mods/')).length;
  const { memoryMb } = MEMORY.find((one) => mods >= one.mods)!;
  return Math.max(LEAST_MEMORY_MB, Math.min(memoryMb, Math.floor(machineBytes / MIB / 2)));
}
