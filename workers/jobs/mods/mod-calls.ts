import path from 'node:path';
import type { JobsService, ModOrder } from '../../../shared/contract/jobs.ts';
import { withStorageError } from '../../../shared/node/files/disk-space.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { ModChanges } from '../../../shared/schema/mods.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { JobQueue } from '../queue/queue.ts';
import { remember } from '../queue/remember.ts';
import { changeMods, type ModOptions } from './change-mods.ts';
import { firstVersion } from './first-version.ts';
import { loadedMods, presentMods, toInstalledMod } from './folder/present-mods.ts';
import { modTarget } from './mod-target.ts';
import { askModrinth, type Modrinth } from './modrinth/modrinth.ts';
import { createRecentAnswers } from './modrinth/recent-answers.ts';

export type ModCalls = Pick<JobsService, 'mods' | 'searchMods' | 'startModChange' | 'modChanges'>;

export function createModCalls(queue: JobQueue, options: ModOptions): ModCalls {
  const { peers, sources, records, scan } = options;
  const searches = createRecentAnswers<Awaited<ReturnType<Modrinth['search']>>>(() => performance.now());
  const versions = createRecentAnswers<string>(() => performance.now());
  const results = new Map<string, ModChanges>();

  async function targetOf(instanceId: string) {
    const { config } = await peers.daemon.instance(instanceId);
    return { config, target: await modTarget(config, peers.daemon) };
  }

  async function look({ id, directory }: InstanceConfig, folder: string) {
    const jars = await scan(path.join(directory, folder), new AbortController().signal);
    return presentMods(jars, records.waiting.of(id), records.known);
  }

  async function work(order: ModOrder, instanceId: string, run: JobRun): Promise<void> {
    try {
      remember(results, run.jobId, await changeMods({ order, instanceId }, run, options));
    } catch (error) {
      throw withStorageError(error, 'a mod');
    }
  }

  return {
    async mods(instanceId) {
      const { config, target } = await targetOf(instanceId);
      const mods = (await look(config, target.folder)).map((mod) => toInstalledMod(mod, target));
      const { folder, loaders } = target;
      return { folder, loaders: [...loaders], mods: mods.toSorted((a, b) => a.name.localeCompare(b.name, 'en')) };
    },
    async searchMods({ instanceId, ...request }, signal) {
      const { config } = await peers.daemon.instance(instanceId);
      const context = { daemon: peers.daemon, sources, signal };
      const version = await versions(`${config.software} ${config.version}`, () => firstVersion(config, context));
      const target = await modTarget({ ...config, version }, peers.daemon);
      const vendors = await sources.vendors();
      const modrinth = askModrinth(target, { vendors, signal });
      const question = JSON.stringify([vendors.modrinth, target.loaders, target.gameVersion, request]);
      const [found, mods] = await Promise.all([
        searches(question, () => modrinth.search(request)),
        look(config, target.folder),
      ]);
      const present = new Set(loadedMods(mods).map((mod) => mod.known?.projectId));
      return {
        hits: found.hits.map(({ project_id: projectId, icon_url: iconUrl, ...hit }) => ({
          projectId,
          ...hit,
          ...(iconUrl && { iconUrl }),
          installed: present.has(projectId),
        })),
        offset: found.offset,
        limit: found.limit,
        total: found.total_hits,
      };
    },
    async startModChange({ instanceId, order }) {
      await targetOf(instanceId);
      return queue.add({ kind: 'mods', instanceId, queued: false, work: (run) => work(order, instanceId, run) });
    },
    modChanges: (jobId) => results.get(jobId) ?? null,
  };
}
