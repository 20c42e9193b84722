import type { ModChange } from '../../../../shared/schema/mods.ts';
import { isSafeJarName } from '../folder/jar-name.ts';
import type { PresentMod } from '../folder/present-mods.ts';
import type { ModrinthVersion } from '../modrinth/modrinth-answers.ts';
import type { Put, WaitingChange } from '../waiting-changes.ts';

export interface ModPlan {
  puts: Put[];
  removes: PresentMod[];
  changes: ModChange[];
  /** What is not done, and why. */
  notes: string[];
}

/** Returns the file of a version that is the mod; others are sources or resource packs. `undefined` if its name is not safe. */
export function fileOf({ files }: ModrinthVersion): ModrinthVersion['files'][number] | undefined {
  const file = files.find(({ primary }) => primary) ?? files[0];
  return file && isSafeJarName(file.filename) ? file : undefined;
}

export function merged(
  waiting: WaitingChange | undefined,
  { puts, removes }: ModPlan,
  software: string,
): WaitingChange {
  const unwanted = removes.filter((mod) => mod.waiting === 'install');
  const kept = (waiting?.puts ?? []).filter(({ file }) => !unwanted.some((mod) => mod.file === file));
  const gone = removes.filter((mod) => mod.waiting === undefined).map(({ file, sha512 }) => ({ file, sha512 }));
  return { software, puts: [...kept, ...puts], removes: [...(waiting?.removes ?? []), ...gone] };
}
