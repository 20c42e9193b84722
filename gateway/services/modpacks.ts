import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { readClocks } from '../../shared/node/primitives/clocks.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import { toInstance } from '../../shared/schema/instance-view.ts';
import type { CreateFromModpack, ModpackSearch, ModpackVersions } from '../../shared/schema/modpacks.ts';
import type { Jobs } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { Accepted, JobsService } from './jobs.ts';
import type { Asker, ModrinthLimit } from './modrinth-limit.ts';

/** Longer than all attempts at Modrinth with the pauses between them. Milliseconds. */
const MODRINTH_TIMEOUT_MS = 90_000;

/** Modpacks at Modrinth. Everything throws `vendor_unavailable`, and `rate_limited` for too many questions. */
export interface ModpacksService {
  search(request: { query: string; offset: number; limit: number }, by: Asker): Promise<ModpackSearch>;
  versions(project: string, by: Asker): Promise<ModpackVersions>;
  create(request: CreateFromModpack, by: Asker): Promise<Accepted<Instance>>;
}

export interface ModpacksOptions {
  view: InstanceView;
  jobs: Jobs;
  work: JobsService;
  countQuestion: ModrinthLimit;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export function createModpacksService({ view, jobs, work, countQuestion, now }: ModpacksOptions): ModpacksService {
  return {
    async search(request, by) {
      countQuestion(by);
      return jobs.call.searchModpacks(request, { timeoutMs: MODRINTH_TIMEOUT_MS });
    },
    async versions(project, by) {
      countQuestion(by);
      return { versions: await jobs.call.modpackVersions(project, { timeoutMs: MODRINTH_TIMEOUT_MS }) };
    },
    async create(request, by) {
      countQuestion(by);
      const job = await jobs.call.startModpack(request, { timeoutMs: MODRINTH_TIMEOUT_MS });
      return work.accept(job, async ({ newInstanceId }) => {
        if (newInstanceId === undefined)
          throw new GamekeeperError('internal_error', 'The modpack was installed without a result.');
        const { config, runtime } = await view.refresh(newInstanceId);
        return toInstance(config, runtime, readClocks(now));
      });
    },
  };
}
