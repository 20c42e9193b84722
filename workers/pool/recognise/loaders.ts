import type { Sureness } from '../../../shared/schema/import.ts';
import type { FolderView } from './folder-view.ts';
import type { StartScript } from './scripts.ts';

/** A server that Java starts from an argument file: Forge since 1.17, and NeoForge. */
export interface ArgumentsFile {
  kind: 'forge' | 'neoforge';
  name: string;
  build: string;
  version?: { value: string; sure: Sureness };
}

const PLACES = [
  ['forge', 'libraries/net/minecraftforge/forge'],
  ['neoforge', 'libraries/net/neoforged/neoforge'],
  ['neoforge', 'libraries/net/neoforged/forge'],
] as const;

/** Returns the one that a script names, else the newest: upgrades leave earlier ones in place. */
export function findArgumentsFile(view: FolderView, scripts: readonly StartScript[]): ArgumentsFile | undefined {
  const name = process.platform === 'win32' ? 'win_args.txt' : 'unix_args.txt';
  const found = PLACES.flatMap(([kind, place]) =>
    view.names(place).map((build) => ({ kind, build, name: `${place}/${build}/${name}` })),
  ).filter((one) => view.kindOf(one.name) === 'file');
  const wanted = scripts.map(({ argumentsFile }) => argumentsFile?.replace(/\/win_args/, '/unix_args'));
  const chosen =
    found.find((one) => wanted.includes(one.name.replace(/\/win_args/, '/unix_args'))) ??
    found.sort((one, other) => view.changedAt(other.name) - view.changedAt(one.name))[0];
  if (!chosen) return undefined;
  const version = /--fml\.mcVersion[\s,]+([\w.-]{1,64})/.exec(view.text(chosen.name) ?? '')?.[1];
  const ofBuild = chosen.kind === 'forge' ? /^(\d[\w.]*)-/.exec(chosen.build)?.[1] : undefined;
  return {
    ...chosen,
    ...(version !== undefined
      ? { version: { value: version, sure: 'certain' } }
      : ofBuild !== undefined && { version: { value: ofBuild, sure: 'likely' } }),
  };
}

/** Returns the versions of Minecraft and the mod loader from what the loader has unpacked, for jars that do not contain them. */
export function unpackedVersions(view: FolderView, kind: 'fabric' | 'quilt') {
  const loader = kind === 'fabric' ? 'libraries/net/fabricmc/fabric-loader' : 'libraries/org/quiltmc/quilt-loader';
  const places = { version: 'libraries/net/fabricmc/intermediary', build: loader };
  const newest = (place: string) =>
    view
      .names(place)
      .filter((name) => view.kindOf(`${place}/${name}`) === 'folder')
      .sort((one, other) => view.changedAt(`${place}/${other}`) - view.changedAt(`${place}/${one}`));
  const [version, ...others] = newest(places.version);
  const [build] = newest(places.build);
  return {
    ...(version !== undefined && {
      version: { value: version, from: places.version, sure: others.length === 0 ? 'certain' : 'likely' } as const,
    }),
    ...(build !== undefined && { build }),
  };
}
