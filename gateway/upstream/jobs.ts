import type { Imported, JobsRouter, ModOrder, ScheduleList, ScheduleOwner } from '../../shared/contract/jobs.ts';
import { JOBS_STREAMS } from '../../shared/contract/streams.ts';
import { createIpcClient, type IpcClient } from '../../shared/node/ipc/client.ts';
import type { Daemon } from './daemon.ts';
import { traced } from './traced.ts';

export type { Imported, ModOrder, ScheduleList, ScheduleOwner };

export type Jobs = IpcClient<JobsRouter>;

/** The jobs process, which the daemon starts when it is first asked for. */
export function connectJobs(daemon: Daemon): Jobs {
  return traced(
    createIpcClient<JobsRouter>({
      socketPath: async () => (await daemon.call.jobs()).socket,
      name: 'jobs',
      unavailable: 'worker_unavailable',
      streams: JOBS_STREAMS,
    }),
  );
}
