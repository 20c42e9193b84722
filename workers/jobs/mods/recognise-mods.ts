import { type KnownMods, toKnownMod } from './known-mods.ts';
import type { Modrinth } from './modrinth/modrinth.ts';

/** Asks Modrinth about files that have no record yet, by their SHA-512, and remembers those that it knows. */
export async function recogniseMods(
  hashes: readonly string[],
  modrinth: Pick<Modrinth, 'byHash' | 'projects'>,
  known: KnownMods,
): Promise<void> {
  if (hashes.length === 0) return;
  const versions = await modrinth.byHash(hashes);
  const found = hashes.flatMap((sha512) => {
    const version = versions[sha512];
    return version ? [{ sha512, version }] : [];
  });
  if (found.length === 0) return;
  const projects = await modrinth.projects([...new Set(found.map(({ version }) => version.project_id))]);
  for (const { sha512, version } of found) {
    const project = projects.find(({ id }) => id === version.project_id);
    if (project) known.remember(sha512, toKnownMod(version, project));
  }
}
