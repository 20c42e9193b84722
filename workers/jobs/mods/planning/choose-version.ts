import { type Channel, channelOf } from '../known-mods.ts';
import type { ModTarget } from '../mod-target.ts';
import type { ModrinthVersion } from '../modrinth/modrinth-answers.ts';

const CHANNELS: readonly Channel[] = ['release', 'beta', 'alpha'];

type Fitting = Pick<ModTarget, 'loaders' | 'gameVersion'>;

/** Whether a version is made for an instance. */
export function fits(
  { loaders, gameVersions }: { loaders: readonly string[]; gameVersions: readonly string[] },
  target: Fitting,
): boolean {
  const isForLoader = target.loaders.some((loader) => loaders.includes(loader));
  return isForLoader && (target.gameVersion === undefined || gameVersions.includes(target.gameVersion));
}

/**
 * The newest version that fits: a release where there is one, else a beta, else an alpha; never of a channel less stable than
 * `atLeast`, which is that of what is installed. Where the version is published once for each loader, the file of the best one.
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

/** Of two dates as Modrinth writes them. */
export function isNewer(date: string, than: string): boolean {
  return Date.parse(date) > Date.parse(than);
}
