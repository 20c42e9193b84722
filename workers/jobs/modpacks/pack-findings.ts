import type { Recognition } from '../../../shared/schema/import.ts';
import { PACK_INDEX } from '../../pool/task-types.ts';
import type { Recognised } from '../recognition/to-request.ts';
import type { Pack } from './pack-index.ts';
import { packMemory } from './pack-memory.ts';

/** Returns what a modpack says about its server. `archive`: what the caller knows it by. `machineBytes`: the memory of this machine. Pure. */
export function packFindings(archive: string, pack: Pack, machineBytes: number): Recognised {
  const fact = (value: string) => ({ value, from: PACK_INDEX, sure: 'certain' as const });
  const { software, version, build, forPlayers } = pack;
  const mods = pack.files.filter(({ path }) => path.startsWith('mods/')).length;
  const recognition: Recognition = {
    directory: archive,
    software: fact(software),
    version: fact(version),
    ...(build !== undefined && { build: fact(build) }),
    memoryMb: { value: packMemory(mods, machineBytes), from: PACK_INDEX, sure: 'guess' },
    notes: forPlayers > 0 ? [`${forPlayers} of its files are only for players, and are not installed.`] : [],
    missing: [],
  };
  return { recognition, java: undefined, newerJava: undefined };
}
