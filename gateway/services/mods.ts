import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { InstallMod, ModChanges, ModList, ModSearch, UpdateMods } from '../../shared/schema/mods.ts';
import type { Jobs, ModOrder } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { Accepted, JobsService } from './jobs.ts';
import type { Asker, ModrinthLimit } from './modrinth-limit.ts';

/** Longer than all attempts at Modrinth with the pauses between them. Milliseconds. */
const SEARCH_TIMEOUT_MS = 90_000;
/** Hashing hundreds of new jars takes seconds. */
const LIST_TIMEOUT_MS = 60_000;

/** Mods and plugins. Everything throws `mods_unsupported` if the instance's software has none. */
export interface ModsService {
  list(id: string): Promise<ModList>;
  search(id: string, request: { query: string; offset: number; limit: number }, by: Asker): Promise<ModSearch>;
  install(id: string, request: InstallMod): Promise<Accepted<ModChanges>>;
  update(id: string, request: UpdateMods): Promise<Accepted<ModChanges>>;
  /** `mod`: a project or a file. `force`: even if another mod needs it. */
  remove(id: string, request: { mod: string; force: boolean }): Promise<Accepted<ModChanges>>;
}

export interface ModsOptions {
  view: InstanceView;
  jobs: Jobs;
  work: JobsService;
  countQuestion: ModrinthLimit;
}

export function createModsService({ view, jobs, work, countQuestion }: ModsOptions): ModsService {
  async function change(instanceId: string, order: ModOrder): Promise<Accepted<ModChanges>> {
    await view.get(instanceId);
    return work.accept(await jobs.call.startModChange({ instanceId, order }), async ({ jobId }) => {
      const changes = await jobs.call.modChanges(jobId);
      if (!changes) throw new GamekeeperError('internal_error', 'The change ended without a result.');
      return changes;
    });
  }

  return {
    async list(id) {
      await view.get(id);
      return jobs.call.mods(id, { timeoutMs: LIST_TIMEOUT_MS });
    },
    async search(instanceId, request, by) {
      await view.get(instanceId);
      countQuestion(by);
      return jobs.call.searchMods({ instanceId, ...request }, { timeoutMs: SEARCH_TIMEOUT_MS });
    },
    install: (id, request) => change(id, { type: 'install', ...request }),
    update: (id, request) => change(id, { type: 'update', ...request }),
    remove: (id, request) => change(id, { type: 'remove', ...request }),
  };
}
