import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { InstallMod, UpdateMods } from '../../../../shared/schema/mods.ts';
import { nameKey } from '../folder/jar-name.ts';
import { loadedMods, type PresentMod, titleOf } from '../folder/present-mods.ts';
import type { KnownMod } from '../known-mods.ts';
import type { ModTarget } from '../mod-target.ts';
import type { Modrinth } from '../modrinth/modrinth.ts';
import type { ModrinthProject } from '../modrinth/modrinth-answers.ts';
import { fits, isNewer, newestFitting } from './choose-version.ts';
import { fileOf, type ModPlan } from './mod-plan.ts';
import { assertCompatible, type Chosen, conflict, resolveMods, type Want } from './resolve.ts';

export interface PlanContext {
  mods: readonly PresentMod[];
  target: ModTarget;
  modrinth: Modrinth;
}

/** Plans the installation of a project and all that it requires. Throws `mod_not_found`, `version_not_found`, `mod_conflict`. */
export async function planInstall({ project: name, version }: InstallMod, context: PlanContext): Promise<ModPlan> {
  const { mods, modrinth } = context;
  const project = await modrinth.project(name);
  if (!project) throw new GamekeeperError('mod_not_found', `There is no project "${name}" on Modrinth.`);
  if (project.server_side === 'unsupported')
    throw conflict(`${project.title} is a client-side mod: it does not run on servers.`, 'Choose another one.');
  const installed = loadedMods(mods).find(({ known }) => known?.projectId === project.id)?.known;
  if (installed && version === undefined) {
    // Its dependencies may still be missing.
    const own = await modrinth.version(installed.versionId);
    const plan = own ? await planFor([{ projectId: project.id, version: own, isFixed: false }], context) : NOTHING;
    return { ...plan, notes: [`${installed.title} ${installed.version} is already installed.`] };
  }
  const wanted = await wantedVersion(project, version, context);
  return planFor([{ projectId: project.id, version: wanted, isFixed: version !== undefined }], context);
}

/** Plans the update of one project or of all. Throws `mod_not_found` if it is not installed, and `mod_conflict`. */
export async function planUpdate({ project }: UpdateMods, context: PlanContext): Promise<ModPlan> {
  const { target, modrinth } = context;
  const loaded = loadedMods(context.mods);
  const named = loaded.filter(({ known }) => known && (project === undefined || isOf(known, project)));
  if (project !== undefined && named.length === 0) throw notInstalled(project);
  const hashes = named.flatMap(({ sha512 }) => sha512 ?? []);
  const newest = hashes.length > 0 ? await modrinth.newestByHash(hashes) : {};
  const wants: Want[] = [];
  const notes: string[] = [];
  for (const { known, sha512 } of named) {
    if (!known || newest[sha512 ?? '']?.id === known.versionId) continue;
    // The answer has the newest version of any channel, but an update must not be less stable than what is installed.
    const isFit = fits(known, target);
    const found = newestFitting(await modrinth.versions(known.projectId), target, isFit ? known.channel : undefined);
    if (!found && !isFit) notes.push(`There is no version of ${known.title} for ${target.title}.`);
    if (found && found.id !== known.versionId && (!isFit || isNewer(found.date_published, known.publishedAt)))
      wants.push({ projectId: known.projectId, version: found, isFixed: false });
  }
  const plan = await planFor(wants, context);
  for (const { projectId, version } of wants) {
    const came = plan.puts.find(({ known }) => known.projectId === projectId);
    if (came?.known.versionId === version.id) continue;
    const { known } = named.find((mod) => mod.known?.projectId === projectId) ?? {};
    notes.push(
      `${known?.title} was not updated to ${version.version_number}: another mod needs ${came?.known.version ?? known?.version}.`,
    );
  }
  return { ...plan, notes };
}

/** Plans the removal of a mod, given its project's id or slug or its file's name. Throws `mod_not_found`, `mod_conflict`. */
export function planRemove({ mod, force }: { mod: string; force: boolean }, mods: readonly PresentMod[]): ModPlan {
  const there = mods.filter(({ waiting }) => waiting !== 'remove');
  const removes = there.filter(({ file, known }) => file === mod || (known && isOf(known, mod)));
  if (removes.length === 0) throw notInstalled(mod);
  const rest = loadedMods(there.filter((one) => !removes.includes(one)));
  const ids = removes.flatMap(({ known }) => known?.projectId ?? []);
  const isLost = (projectId: string | undefined) =>
    projectId !== undefined && ids.includes(projectId) && !rest.some(({ known }) => known?.projectId === projectId);
  const needing = rest.filter(({ known }) =>
    known?.dependencies.some(({ type, projectId }) => type === 'required' && isLost(projectId)),
  );
  if (needing.length > 0 && !force)
    throw conflict(
      `${removes.map(titleOf).join(', ')} is needed by ${needing.map(titleOf).join(', ')}.`,
      'Remove those first, or repeat the request with force=true.',
    );
  const changes = removes.map((one) => {
    const { file, known, about } = one;
    const from = known?.version ?? about?.version;
    const ofProject = known && { projectId: known.projectId };
    return { action: 'remove' as const, name: titleOf(one), file, ...(from !== undefined && { from }), ...ofProject };
  });
  return { puts: [], removes, changes, notes: [] };
}

const NOTHING: ModPlan = { puts: [], removes: [], changes: [], notes: [] };

async function wantedVersion(project: ModrinthProject, version: string | undefined, context: PlanContext) {
  const { target, modrinth } = context;
  const versions = await modrinth.versions(project.id);
  const named = version === undefined ? versions : versions.filter(({ id }) => id === version);
  const matching = named.length > 0 ? named : versions.filter(({ version_number }) => version_number === version);
  const found = newestFitting(matching, target);
  if (found) return found;
  const which = version === undefined ? 'no version' : `no version ${version}`;
  throw new GamekeeperError('version_not_found', `${project.title} has ${which} for ${target.title}.`, {
    resolution: 'Choose another version or project; GET /instances/{id}/mods/search finds those that fit.',
  });
}

async function planFor(wants: readonly Want[], { mods, target, modrinth }: PlanContext): Promise<ModPlan> {
  if (wants.length === 0) return { ...NOTHING, changes: [] };
  const loaded = loadedMods(mods);
  const chosen = await resolveMods({ wants, mods: loaded, target, modrinth });
  const isReplaced = ({ known }: PresentMod) => chosen.some((one) => one.known.projectId === known?.projectId);
  const removes = loaded.filter(isReplaced);
  assertCompatible(
    chosen,
    loaded.filter((mod) => !isReplaced(mod)),
  );
  const plan: ModPlan = { puts: [], removes, changes: [], notes: [] };
  for (const one of chosen) place(one, plan, mods);
  return plan;
}

/** Throws `mod_conflict` if another file has the name already. */
function place({ version, known, neededBy }: Chosen, plan: ModPlan, mods: readonly PresentMod[]): void {
  const file = fileOf(version);
  if (!file) throw conflict(`Modrinth has no usable file for ${known.title} ${known.version}.`);
  const { filename, hashes, url, size } = file;
  const isThere = (other: string) => nameKey(other) === nameKey(filename);
  const stays = mods.some(
    (mod) =>
      isThere(mod.file) && mod.waiting !== 'remove' && !plan.removes.includes(mod) && mod.sha512 !== hashes.sha512,
  );
  if (stays || plan.puts.some((put) => isThere(put.file)))
    throw conflict(`There is already another file ${filename}.`, 'Remove or rename it.');
  const before = plan.removes.find((mod) => mod.known?.projectId === known.projectId)?.known;
  plan.puts.push({ file: filename, sha512: hashes.sha512, url, bytes: size, known });
  plan.changes.push({
    action: before ? 'update' : 'install',
    name: known.title,
    file: filename,
    projectId: known.projectId,
    version: known.version,
    ...(before && { from: before.version }),
    ...(neededBy.length > 0 && { neededBy }),
  });
}

function isOf({ projectId, slug }: KnownMod, project: string): boolean {
  return projectId === project || slug === project;
}

function notInstalled(mod: string): GamekeeperError {
  return new GamekeeperError('mod_not_found', `"${mod}" is not among the mods of this instance.`);
}
