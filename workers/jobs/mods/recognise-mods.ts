import type { PresentMod } from './folder/present-mods.ts';
import { type KnownMods, toKnownMod } from './known-mods.ts';
import type { Modrinth } from './modrinth/modrinth.ts';

/** Finds out which files that nobody has a record of come from Modrinth all the same. Gives whether it learnt anything. */
export async function recogniseMods(
  mods: readonly PresentMod[],
  modrinth: Modrinth,
  known: KnownMods,
): Promise<boolean> {
  const hashes = mods.flatMap((mod) => (mod.known || mod.sha512 === undefined ? [] : [mod.sha512]));
  if (hashes.length === 0) return false;
  const versions = await modrinth.byHash(hashes);
  const found = hashes.flatMap((sha512) => {
    const version = versions[sha512];
    return version ? [{ sha512, version }] : [];
  });
  if (found.length === 0) return false;
  const projects = await modrinth.projects([...new Set(found.map(({ version }) => version.project_id))]);
  for (const { sha512, version } of found) {
    const project = projects.find(({ id }) => id === version.project_id);
    if (project) known.remember(sha512, toKnownMod(version, project));
  }
  return true;
}
