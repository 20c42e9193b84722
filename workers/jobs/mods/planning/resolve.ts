import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { type PresentMod, titleOf } from '../folder/present-mods.ts';
import { type Dependency, type KnownMod, toKnownMod } from '../known-mods.ts';
import type { ModTarget } from '../mod-target.ts';
import type { Modrinth } from '../modrinth/modrinth.ts';
import type { ModrinthVersion } from '../modrinth/modrinth-answers.ts';
import { fits, newestFitting } from './choose-version.ts';

/** Limit for pins that lead to other pins. Real mods need two rounds. */
const MAX_ROUNDS = 10;

export interface Want {
  projectId: string;
  version: ModrinthVersion;
  /** The request names this version: if another mod needs a different one, that is a conflict. */
  isFixed: boolean;
}

export interface Chosen {
  version: ModrinthVersion;
  known: KnownMod;
  neededBy: string[];
}

interface Resolution {
  wants: readonly Want[];
  mods: readonly PresentMod[];
  target: ModTarget;
  modrinth: Modrinth;
}

/** A project in a round: either a version to install, or the installed one. */
interface Member {
  chosen: Chosen | undefined;
  known: KnownMod;
}
type Members = Map<string, Member>;

/**
 * Returns what to install for the wanted projects, including everything they require, in versions that fit the instance and each other.
 * Installed mods stay unless something needs another version. A version that a dependency names is binding if it fits the instance; if not,
 * its author has overlooked other versions of Minecraft. Throws `mod_conflict`.
 */
export async function resolveMods(resolution: Resolution): Promise<Chosen[]> {
  let members: Members = new Map();
  for (let round = 1; ; round++) {
    const next = await expand(resolution, members);
    if (isSame(next, members)) break;
    if (round === MAX_ROUNDS) throw conflict('No combination of versions satisfies all of these mods.');
    members = next;
  }
  return Array.from(members.values(), ({ chosen }) => chosen).filter((chosen) => chosen !== undefined);
}

/** Collects everything that is needed, in the versions that `before` requires. */
async function expand({ wants, mods, target, modrinth }: Resolution, before: Members): Promise<Members> {
  const members: Members = new Map();
  const stay = mods.flatMap(({ known }) => (known && !before.has(known.projectId) ? [known] : []));
  const asking = [...stay, ...Array.from(before.values(), ({ known }) => known)];
  const isWanted = (projectId: string) => wants.some((want) => want.projectId === projectId);
  const waiting = wants.map(({ projectId }) => ({ projectId, neededBy: undefined as string | undefined }));
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { projectId, neededBy } = next;
    const known = members.get(projectId);
    if (known) {
      const needs = known.chosen?.neededBy;
      if (neededBy !== undefined && !isWanted(projectId) && !needs?.includes(neededBy)) needs?.push(neededBy);
      continue;
    }
    const member = await choose(projectId, neededBy);
    members.set(projectId, member);
    for (const dependency of member.known.dependencies.filter(({ type }) => type === 'required')) {
      const needed = await projectOf(dependency, member.known);
      if (needed !== undefined) waiting.push({ projectId: needed, neededBy: member.known.title });
    }
  }
  return members;

  async function choose(projectId: string, neededBy: string | undefined): Promise<Member> {
    const installed = mods.find(({ known }) => known?.projectId === projectId)?.known;
    const want = wants.find((one) => one.projectId === projectId);
    const version = (await pinned(projectId, want)) ?? want?.version;
    if (installed && (version === undefined || version.id === installed.versionId))
      return { chosen: undefined, known: installed };
    const project = await modrinth.project(projectId);
    if (!project) throw conflict(`${neededBy} needs something that is no longer on Modrinth (${projectId}).`);
    const found = version ?? newestFitting(await modrinth.versions(projectId), target);
    if (!found) throw conflict(`${neededBy} needs ${project.title}, which has no version for ${target.title}.`);
    const known = toKnownMod(found, project);
    return { chosen: { version: found, known, neededBy: neededBy === undefined ? [] : [neededBy] }, known };
  }

  /** Returns the version that other mods require, if any. */
  async function pinned(projectId: string, want: Want | undefined): Promise<ModrinthVersion | undefined> {
    const pins = new Map<string, { version: ModrinthVersion; by: string }>();
    if (want?.isFixed) pins.set(want.version.id, { version: want.version, by: 'you' });
    for (const { title, dependencies, projectId: own } of asking)
      for (const { type, versionId, ...of } of dependencies) {
        const isElsewhere = own === projectId || (of.projectId !== undefined && of.projectId !== projectId);
        if (type !== 'required' || versionId === undefined || isElsewhere || pins.has(versionId)) continue;
        const version = await modrinth.version(versionId);
        if (version?.project_id === projectId && fits(fittingOf(version), target))
          pins.set(versionId, { version, by: title });
      }
    const [one, other] = pins.values();
    if (one && other) {
      const name = (await modrinth.project(projectId))?.title ?? projectId;
      throw conflict(
        `${name} is required in version ${one.version.version_number} by ${one.by} and in version ${other.version.version_number} by ${other.by}.`,
      );
    }
    return one?.version;
  }

  /** Returns `undefined` if a file in the folder meets the dependency. */
  async function projectOf({ projectId, versionId, fileName }: Dependency, of: KnownMod): Promise<string | undefined> {
    if (projectId !== undefined) return projectId;
    if (versionId !== undefined) {
      const version = await modrinth.version(versionId);
      if (version) return version.project_id;
    }
    if (fileName !== undefined && mods.some(({ file }) => file === fileName)) return undefined;
    const what = fileName ?? versionId ?? 'something';
    throw conflict(
      `${of.title} needs ${what}, which is not on Modrinth.`,
      `Put ${what} into the folder ${target.folder} first.`,
    );
  }
}

/** Throws `mod_conflict` if a mod to install does not work with another one or with an installed one, whichever of the two declares it. */
export function assertCompatible(chosen: readonly Chosen[], stay: readonly PresentMod[]): void {
  const all = [
    ...chosen.map(({ known }) => ({ known, title: known.title, comes: true })),
    ...stay.map((mod) => ({ known: mod.known, title: titleOf(mod), comes: false })),
  ];
  for (const one of all)
    for (const dependency of one.known?.dependencies ?? [])
      for (const other of all)
        if ((one.comes || other.comes) && isAgainst(dependency, other.known))
          throw conflict(`${one.title} does not work together with ${other.title}.`, 'Remove one of the two.');
}

function isAgainst({ type, projectId, versionId }: Dependency, mod: KnownMod | undefined): boolean {
  if (type !== 'incompatible' || !mod) return false;
  return versionId === undefined ? projectId === mod.projectId : versionId === mod.versionId;
}

function isSame(one: Members, other: Members): boolean {
  const versions = (members: Members) =>
    Array.from(members, ([projectId, { known }]) => `${projectId} ${known.versionId}`)
      .toSorted()
      .join();
  return versions(one) === versions(other);
}

function fittingOf({ loaders, game_versions: gameVersions }: ModrinthVersion) {
  return { loaders, gameVersions };
}

export function conflict(detail: string, resolution?: string): GamekeeperError {
  return new GamekeeperError('mod_conflict', detail, resolution === undefined ? {} : { resolution });
}
