import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { type PresentMod, titleOf } from '../folder/present-mods.ts';
import { type Dependency, type KnownMod, toKnownMod } from '../known-mods.ts';
import type { ModTarget } from '../mod-target.ts';
import type { Modrinth } from '../modrinth/modrinth.ts';
import type { ModrinthVersion } from '../modrinth/modrinth-answers.ts';
import { fits, newestFitting } from './choose-version.ts';

/** Pins that lead to other pins: real mods are settled in two rounds. */
const MAX_ROUNDS = 10;

/** A project that somebody asked for. */
export interface Want {
  projectId: string;
  version: ModrinthVersion;
  /** They named this very version: what another mod wants instead is a conflict, not a reason to give way. */
  isFixed: boolean;
}

/** A version to be put in place. */
export interface Chosen {
  version: ModrinthVersion;
  known: KnownMod;
  /** Titles of those that need it. */
  neededBy: string[];
}

interface Resolution {
  wants: readonly Want[];
  /** What the server would load. */
  mods: readonly PresentMod[];
  target: ModTarget;
  modrinth: Modrinth;
}

/** A project in a round: a version that comes, or what is installed and stays. */
interface Member {
  chosen: Chosen | undefined;
  known: KnownMod;
}
type Members = Map<string, Member>;

/**
 * Finds what has to be put in place for what is wanted: with all that it requires, in versions that fit the instance and each other.
 * What is installed stays as it is where nothing asks for another version. A version that a dependency names is binding if it fits the
 * instance, and else an oversight of its author's, who has it for another. Throws `mod_conflict`.
 */
export async function resolveMods(resolution: Resolution): Promise<Chosen[]> {
  let members: Members = new Map();
  for (let round = 1; ; round++) {
    const next = await expand(resolution, members);
    if (isSame(next, members)) break;
    if (round === MAX_ROUNDS) throw conflict('The versions that these mods want of each other cannot be settled.');
    members = next;
  }
  return Array.from(members.values(), ({ chosen }) => chosen).filter((chosen) => chosen !== undefined);
}

/** Everything that is needed, where the versions are those that `before` asks for. */
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
    if (!project) throw conflict(`${neededBy} needs something that is not at Modrinth any more (${projectId}).`);
    const found = version ?? newestFitting(await modrinth.versions(projectId), target);
    if (!found) throw conflict(`${neededBy} needs ${project.title}, of which there is no version for ${target.title}.`);
    const known = toKnownMod(found, project);
    return { chosen: { version: found, known, neededBy: neededBy === undefined ? [] : [neededBy] }, known };
  }

  /** The version that others name, if any. */
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
        `${name} is wanted as ${one.version.version_number} by ${one.by} and as ${other.version.version_number} by ${other.by}.`,
      );
    }
    return one?.version;
  }

  /** `undefined`: it is met by a file that is there. */
  async function projectOf({ projectId, versionId, fileName }: Dependency, of: KnownMod): Promise<string | undefined> {
    if (projectId !== undefined) return projectId;
    if (versionId !== undefined) {
      const version = await modrinth.version(versionId);
      if (version) return version.project_id;
    }
    if (fileName !== undefined && mods.some(({ file }) => file === fileName)) return undefined;
    const what = fileName ?? versionId ?? 'something';
    throw conflict(
      `${of.title} needs ${what}, which is not at Modrinth.`,
      `Put ${what} into the folder ${target.folder} first.`,
    );
  }
}

/**
 * Throws `mod_conflict` where one of those that come does not work with another one or with what stays, whichever of the two says so.
 */
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
