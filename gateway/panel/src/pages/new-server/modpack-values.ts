import type { Schemas } from '../../api/transport/client.ts';
import { GIGABYTE_MB } from './create-values.ts';

type ModpackVersion = Schemas['ModpackVersions']['versions'][number];

export interface ModpackValues {
  name: string;
  /** Its id; `null` for the newest. */
  version: string | null;
  /** Empty for what the modpack suggests once it is downloaded. */
  memoryGb: number | string;
  acceptEula: boolean;
  startWhenReady: boolean;
}

/** Without the EULA the server could not start. */
export function toModpackRequest(project: string, values: ModpackValues): Schemas['CreateFromModpack'] {
  const { name, version, memoryGb, acceptEula, startWhenReady } = values;
  return {
    project,
    name: name.trim(),
    ...(version !== null && { version }),
    ...(Number(memoryGb) > 0 && { memoryMb: Math.round(Number(memoryGb) * GIGABYTE_MB) }),
    acceptEula,
    start: startWhenReady && acceptEula,
  } as Schemas['CreateFromModpack'];
}

const STEP_MB = GIGABYTE_MB / 2;

/**
 * Returns the memory for the chosen version, or for the newest one, in half GB. `undefined` if there are no versions. `versions`: the newest
 * first.
 */
export function suggestedMemoryGb(versions: readonly ModpackVersion[], chosen: string | null): number | undefined {
  const version =
    chosen === null
      ? (versions.find(({ channel }) => channel === 'release') ?? versions[0])
      : versions.find(({ versionId }) => versionId === chosen);
  return version && (Math.floor(version.suggestedMemoryMb / STEP_MB) * STEP_MB) / GIGABYTE_MB;
}
