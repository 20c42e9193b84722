import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { JobsService, ModOrder } from '../../../shared/contract/jobs.ts';
import { withStorageError } from '../../../shared/node/files/disk-space.ts';
import { KeyedMutex } from '../../../shared/node/primitives/keyed-mutex.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { ModChanges } from '../../../shared/schema/mods.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { JobQueue } from '../queue/queue.ts';
import { refuseBeyond } from '../queue/refuse-too-many.ts';
import type { Peers } from '../resources/peers.ts';
import type { Pool } from '../resources/pool.ts';
import type { VendorAddresses } from '../vendors/vendor.ts';
import { type ChangeParts, changeMods } from './change-mods.ts';
import { jarScanner } from './folder/jar-scanner.ts';
import { loadedMods, presentMods, toInstalledMod } from './folder/present-mods.ts';
import { knownMods } from './known-mods.ts';
import { modTarget } from './mod-target.ts';
import { askModrinth, type Modrinth } from './modrinth/modrinth.ts';
import { recentAnswers } from './modrinth/recent-answers.ts';
import { type ModSettler, settleMods } from './settle-mods.ts';
import { waitingChanges } from './waiting-changes.ts';

/** Results that are remembered, like the jobs themselves. */
const MAX_RESULTS = 200;

export interface ModCallParts extends Pick<ChangeParts, 'peers' | 'log' | 'downloads'> {
  database: DatabaseSync;
  pool: Pool;
  queue: JobQueue;
  peers: Peers;
  /** Folder of everything that can be had again. */
  cache: string;
  vendors: () => Promise<VendorAddresses>;
}

type ModCalls = Pick<JobsService, 'mods' | 'searchMods' | 'startModChange' | 'modChanges'>;

/** What can be asked about mods and plugins, and what a start does with what waits for it. */
export function modCalls(parts: ModCallParts): {
  calls: ModCalls;
  settle: ModSettler;
  forget(instanceId: string): void;
} {
  const { database, pool, queue, peers, vendors } = parts;
  const known = knownMods(database);
  const waiting = waitingChanges(database);
  const scan = jarScanner(pool);
  const folders = new KeyedMutex();
  const changeParts: ChangeParts = {
    ...parts,
    cache: path.join(parts.cache, 'downloads'),
    known,
    waiting,
    scan,
    folders,
    changes: new KeyedMutex(),
  };
  const searches = recentAnswers<Awaited<ReturnType<Modrinth['search']>>>(() => performance.now());
  const results = new Map<string, ModChanges>();

  async function look({ id, directory }: InstanceConfig, folder: string) {
    const jars = await scan(path.join(directory, folder), new AbortController().signal);
    return presentMods(jars, waiting.of(id), known);
  }

  async function work(order: ModOrder, instanceId: string, run: JobRun): Promise<void> {
    try {
      remember(results, run.jobId, await changeMods({ order, instanceId }, run, changeParts));
    } catch (error) {
      throw withStorageError(error, 'a mod');
    }
  }

  return {
    calls: {
      async mods(instanceId) {
        const { config } = await peers.daemon.instance(instanceId);
        const target = await modTarget(config, peers.daemon);
        const mods = (await look(config, target.folder)).map((mod) => toInstalledMod(mod, target));
        const { folder, loaders } = target;
        return { folder, loaders: [...loaders], mods: mods.toSorted((a, b) => a.name.localeCompare(b.name, 'en')) };
      },
      async searchMods({ instanceId, ...request }, signal) {
        const { config } = await peers.daemon.instance(instanceId);
        const target = await modTarget(config, peers.daemon);
        const addresses = await vendors();
        const modrinth = askModrinth(target, { vendors: addresses, signal });
        const question = JSON.stringify([addresses.modrinth, target.loaders, target.gameVersion, request]);
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
        await modTarget((await peers.daemon.instance(instanceId)).config, peers.daemon);
        refuseBeyond(queue, { kind: 'mods', instanceId });
        return queue.add({ kind: 'mods', instanceId, queued: false, work: (run) => work(order, instanceId, run) });
      },
      modChanges: (jobId) => results.get(jobId) ?? null,
    },
    settle: (config, run) => settleMods(config, run, changeParts),
    forget: (instanceId) => waiting.set(instanceId, undefined),
  };
}

function remember(results: Map<string, ModChanges>, jobId: string, result: ModChanges): void {
  results.set(jobId, result);
  const [oldest] = results.keys();
  if (results.size > MAX_RESULTS && oldest !== undefined) results.delete(oldest);
}
