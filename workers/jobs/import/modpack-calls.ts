import type { JobsService } from '../../../shared/contract/jobs.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import type { CreateFromModpack, ModpackVersion } from '../../../shared/schema/modpacks.ts';
import { freeId } from '../clone/new-instance-place.ts';
import { USUAL_PACK_BYTES } from '../modpacks/pack-downloads.ts';
import { packMemory } from '../modpacks/pack-memory.ts';
import { PACK_TARGET } from '../modpacks/pack-target.ts';
import { channelOf } from '../mods/known-mods.ts';
import { askModrinth, type Modrinth } from '../mods/modrinth/modrinth.ts';
import type { ModrinthProject, ModrinthVersion } from '../mods/modrinth/modrinth-answers.ts';
import { createRecentAnswers } from '../mods/modrinth/recent-answers.ts';
import { newestFitting } from '../mods/planning/choose-version.ts';
import { machineMemory } from '../provisioning/machine-memory.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { JobQueue } from '../queue/queue.ts';
import { resultOf } from '../queue/steps.ts';
import { type Peers, START_TIMEOUT_MS, withSupervisor } from '../resources/peers.ts';
import { fetchFile } from '../vendors/download-cache.ts';
import { vendorOf } from '../vendors/vendor.ts';
import { type ImportOptions, importArchive } from './import-archive.ts';
import { nameOf } from './import-calls.ts';

export type ModpackCalls = Pick<JobsService, 'searchModpacks' | 'modpackVersions' | 'startModpack'>;

/** Versions to show, the newest first. */
const MOST_VERSIONS = 100;

type ModpackFile = ModrinthVersion['files'][number];

export function createModpackCalls(queue: JobQueue, options: ImportOptions & { log: Logger }): ModpackCalls {
  const { peers, home, sources, log } = options;
  const now = () => performance.now();
  const searches = createRecentAnswers<Awaited<ReturnType<Modrinth['searchModpacks']>>>(now);
  const lists = createRecentAnswers<ModpackVersion[]>(now);

  async function ask(signal: AbortSignal): Promise<Modrinth> {
    return askModrinth(PACK_TARGET, { vendors: await sources.vendors(), signal });
  }

  async function fetchPack({ hashes, url, size }: ModpackFile, title: string, run: JobRun): Promise<string> {
    const vendor = vendorOf('modrinth', await sources.vendors());
    const digest = { algorithm: 'sha512', hex: hashes.sha512 } as const;
    const order = { vendor, url, digest, bytes: size };
    const context = { signal: run.signal, title, phase: run.phase(size) };
    return (await resultOf(fetchFile(order, sources.downloads, context))).file;
  }

  return {
    async searchModpacks(request, signal) {
      const { modrinth: mirror } = await sources.vendors();
      const modrinth = await ask(signal);
      const found = await searches(JSON.stringify([mirror, request]), () => modrinth.searchModpacks(request));
      return {
        hits: found.hits.map(({ project_id: projectId, icon_url: _, ...hit }) => ({ projectId, ...hit })),
        offset: found.offset,
        limit: found.limit,
        total: found.total_hits,
      };
    },
    async modpackVersions(name, signal) {
      const { modrinth: mirror } = await sources.vendors();
      const modrinth = await ask(signal);
      return lists(JSON.stringify([mirror, name]), async () => {
        const project = await findProject(name, modrinth);
        const versions = await modrinth.versions(project.id);
        return versions
          .toSorted((one, other) => Date.parse(other.date_published) - Date.parse(one.date_published))
          .slice(0, MOST_VERSIONS)
          .map(toModpackVersion);
      });
    },
    async startModpack({ project: wanted, version: wantedVersion, start, ...settings }, signal) {
      const modrinth = await ask(signal);
      const project = await findProject(wanted, modrinth);
      const version = await findVersion(project, wantedVersion, modrinth);
      const file = version.files.find(({ primary }) => primary) ?? version.files[0];
      if (!file) throw versionNotFound(project, version.version_number);
      const name = settings.name ?? nameOf(project.title);
      const id = await freeId({ id: settings.id, name }, { peers, home, queue });
      return queue.add({
        kind: 'import',
        instanceId: id,
        creates: id,
        queued: true,
        async work(run) {
          const downloads = run.phase(USUAL_PACK_BYTES);
          const archive = await fetchPack(file, `${project.title} ${version.version_number}`, run);
          const request = { ...settings, archive, dryRun: false };
          await importArchive({ archive, shownAs: archive, request, id, name, downloads }, run, options);
          if (start)
            await startCreated(id, peers).catch((error: unknown) =>
              log.warn({ err: error, instance: id }, 'a server from a modpack was created but could not be started'),
            );
        },
      });
    },
  };
}

/** Throws why it cannot start, which its supervisor also shows as its `crash`. */
async function startCreated(id: string, peers: Peers): Promise<void> {
  await withSupervisor(id, peers, ({ call }) => call.start(undefined, { timeoutMs: START_TIMEOUT_MS }));
}

/** Throws `mod_not_found`. */
async function findProject(name: string, modrinth: Modrinth): Promise<ModrinthProject> {
  const project = await modrinth.project(name);
  if (project?.project_type === 'modpack') return project;
  throw new GamekeeperError('mod_not_found', `Modrinth has no modpack "${name}".`, {
    resolution: 'GET /modpacks finds modpacks by their name.',
  });
}

/** Returns the version with this id or number, or the newest. Throws `version_not_found`. */
async function findVersion(
  project: ModrinthProject,
  wanted: CreateFromModpack['version'],
  modrinth: Modrinth,
): Promise<ModrinthVersion> {
  const versions = await modrinth.versions(project.id);
  const found =
    wanted === undefined
      ? newestFitting(versions, PACK_TARGET)
      : (versions.find(({ id }) => id === wanted) ?? versions.find((one) => one.version_number === wanted));
  if (!found) throw versionNotFound(project, wanted);
  return found;
}

function versionNotFound({ title, slug }: ModrinthProject, wanted: string | undefined): GamekeeperError {
  const which = wanted === undefined ? 'no version' : `no version ${wanted}`;
  return new GamekeeperError('version_not_found', `${title} has ${which} for Fabric, Quilt, NeoForge or Forge.`, {
    resolution: `GET /modpacks/${slug}/versions lists those that can be used.`,
  });
}

/** Modrinth lists the files of a modpack that it has itself as dependencies of the type "embedded" (docs.modrinth.com/api). */
function toModpackVersion(version: ModrinthVersion): ModpackVersion {
  const contained = (version.dependencies ?? []).filter(({ dependency_type: type }) => type === 'embedded');
  return {
    versionId: version.id,
    version: version.version_number,
    channel: channelOf(version),
    publishedAt: version.date_published,
    gameVersions: version.game_versions,
    loaders: version.loaders,
    suggestedMemoryMb: packMemory(contained.length, machineMemory()),
  };
}
