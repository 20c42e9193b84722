import type { ActionResponse } from '../../shared/schema/answers.ts';
import type { WorldList, WorldReplacement, WorldReset } from '../../shared/schema/worlds.ts';
import type { Files, Jobs } from '../upstream/clients.ts';
import type { Accepted, JobsService } from './jobs.ts';

/** As long as it takes. */
const UNTIMED = { timeoutMs: 0 };

/** The worlds of instances. Errors as in shared/contract/jobs.ts. */
export interface WorldsService {
  list(instanceId: string, signal: AbortSignal): Promise<WorldList>;
  replace(instanceId: string, replacement: WorldReplacement): Promise<Accepted<ActionResponse>>;
  reset(instanceId: string, reset: WorldReset): Promise<Accepted<ActionResponse>>;
}

export interface WorldsOptions {
  files: Files;
  jobs: Jobs;
  work: JobsService;
}

export function createWorldsService({ files, jobs, work }: WorldsOptions): WorldsService {
  const answer = (message: string) => () => ({ success: true, message });
  return {
    list: (instanceId, signal) => files.call.worlds(instanceId, { ...UNTIMED, signal }),
    async replace(instanceId, replacement) {
      const job = await jobs.call.startWorldReplacement({ instanceId, ...replacement });
      return work.accept(job, answer(`Replaced "${replacement.folder}". The former world is in the newest backup.`));
    },
    async reset(instanceId, { folder, seed }) {
      const job = await jobs.call.startWorldReset({ instanceId, folder, seed });
      const message = `The next start creates a new world in "${folder}". The former one is in the newest backup.`;
      return work.accept(job, answer(message));
    },
  };
}
