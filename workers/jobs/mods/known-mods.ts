import type { DatabaseSync } from 'node:sqlite';
import type { ModrinthProject, ModrinthVersion } from './modrinth/modrinth-answers.ts';

export type Channel = 'release' | 'beta' | 'alpha';

export interface Dependency {
  type: 'required' | 'incompatible';
  projectId?: string;
  versionId?: string;
  fileName?: string;
}

/** The origin of a file: one version of one Modrinth project. */
export interface KnownMod {
  projectId: string;
  slug: string;
  title: string;
  versionId: string;
  version: string;
  channel: Channel;
  publishedAt: string;
  loaders: string[];
  gameVersions: string[];
  dependencies: Dependency[];
}

/** Files that come from Modrinth, by SHA-512. The folder itself shows what is installed, even after a restore or an owner's upload. */
export interface KnownMods {
  find(sha512: string): KnownMod | undefined;
  remember(sha512: string, mod: KnownMod): void;
}

export function createKnownMods(database: DatabaseSync): KnownMods {
  const select = database.prepare('SELECT mod FROM known_mod WHERE sha512 = ?');
  const insert = database.prepare(
    'INSERT INTO known_mod (sha512, mod) VALUES (?, ?) ON CONFLICT (sha512) DO UPDATE SET mod = excluded.mod',
  );
  return {
    find(sha512) {
      const row = select.get(sha512);
      return row ? (JSON.parse(String(row.mod)) as KnownMod) : undefined;
    },
    remember: (sha512, mod) => void insert.run(sha512, JSON.stringify(mod)),
  };
}

/**
 * Returns the data to keep of a version. Leaves out optional dependencies, which are the owner's choice, and embedded ones, which are in
 * the file.
 */
export function toKnownMod(
  version: ModrinthVersion,
  { slug, title }: Pick<ModrinthProject, 'slug' | 'title'>,
): KnownMod {
  return {
    projectId: version.project_id,
    slug,
    title,
    versionId: version.id,
    version: version.version_number,
    channel: channelOf(version),
    publishedAt: version.date_published,
    loaders: version.loaders,
    gameVersions: version.game_versions,
    dependencies: dependenciesOf(version),
  };
}

export function channelOf({ version_type: type }: Pick<ModrinthVersion, 'version_type'>): Channel {
  return type === 'release' || type === 'beta' ? type : 'alpha';
}

function dependenciesOf({ dependencies, project_id: own }: ModrinthVersion): Dependency[] {
  const kept: Dependency[] = [];
  for (const { dependency_type: type, project_id, version_id, file_name } of dependencies ?? []) {
    if ((type !== 'required' && type !== 'incompatible') || project_id === own) continue;
    kept.push({
      type,
      ...(project_id && { projectId: project_id }),
      ...(version_id && { versionId: version_id }),
      ...(file_name && { fileName: file_name }),
    });
  }
  return kept;
}
