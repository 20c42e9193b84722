import { type Channel, channelOf } from '../known-mods.ts';
import type { ModTarget } from '../mod-target.ts';
import type { ModrinthVersion } from '../modrinth/modrinth-answers.ts';

const CHANNELS: readonly Channel[] = ['release', 'beta', 'alpha'];

type Fitting = Pick<ModTarget, 'loaders' | 'gameVersion'>;

/** Returns true if a version is made for the instance. */
export function fits(
  { loaders, gameVersions }: { loaders: readonly string[]; gameVersions: readonly string[] },
  target: Fitting,
): boolean {
  const isForLoader = target.loaders.some((loader) => loaders.includes(loader));
  return isForLoader && (target.gameVersion === undefined || gameVersions.includes(target.gameVersion));
}

/**
 * Returns the newest version that fits: a release if there is one, else a beta, else an alpha, but none less stable than `atLeast`, the
 * channel of what is installed. If the version was published once per loader, returns the one for the best loader.
 */
export function newestFitting(
  versions: readonly ModrinthVersion[],
  target: Fitting,
  atLeast?: Channel,
): ModrinthVersion | undefined {
  const fitting = versions.filter((version) =>
    fits({ loaders: version.loaders, gameVersions: version.game_versions }, target),
  );
  const newest =
    atLeast === undefined
      ? CHANNELS.map((channel) => newestOf(fitting, [channel])).find(Boolean)
      : newestOf(fitting, CHANNELS.slice(0, CHANNELS.indexOf(atLeast) + 1));
  if (!newest) return undefined;
  const twins = fitting.filter(
    (version) => version.version_number === newest.version_number && channelOf(version) === channelOf(newest),
  );
  const rank = ({ loaders }: ModrinthVersion) => target.loaders.findIndex((loader) => loaders.includes(loader));
  return twins.reduce((best, version) => (rank(version) < rank(best) ? version : best), newest);
}

function newestOf(versions: readonly ModrinthVersion[], channels: readonly Channel[]): ModrinthVersion | undefined {
  let newest: ModrinthVersion | undefined;
  for (const version of versions)
    if (channels.includes(channelOf(version)) && (!newest || isNewer(version.date_published, newest.date_published)))
      newest = version;
  return newest;
}

export function isNewer(date: string, than: string): boolean {
  return Date.parse(date) > Date.parse(than);
}
