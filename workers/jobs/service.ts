import type { JobsService } from '../../shared/contract/jobs.ts';
import type { BackupCallParts, backupCalls } from './backups/backup-calls.ts';
import { testStore } from './backups/stores/test-store.ts';
import type { cloneCalls } from './clone/clone-calls.ts';
import type { exportCalls } from './export/export-calls.ts';
import type { importCalls } from './import/import-calls.ts';
import type { modCalls } from './mods/mod-calls.ts';
import type { Provisioner } from './provisioning/provision.ts';
import { provisionAsJob } from './provisioning/provision-job.ts';
import { watchJobs } from './queue/watch-jobs.ts';
import type { scheduleCalls } from './schedules/schedule-calls.ts';
import type { InstalledRecords } from './software/installed.ts';

export interface JobsParts extends Omit<BackupCallParts, 'onReplaced'> {
  backups: ReturnType<typeof backupCalls>;
  schedules: ReturnType<typeof scheduleCalls>;
  mods: ReturnType<typeof modCalls>;
  provisioner: Provisioner;
  records: InstalledRecords;
  versions: JobsService['softwareVersions'];
  runtimeCalls: Pick<JobsService, 'runtimes' | 'updateRuntime' | 'removeRuntimes'>;
  /** What makes instances of servers that there are, and the other way round. */
  copies: ReturnType<typeof cloneCalls> & ReturnType<typeof exportCalls> & ReturnType<typeof importCalls>;
  stats: JobsService['stats'];
}

/** The contract of this process. */
export function createJobsService(parts: JobsParts): JobsService {
  const { queue, peers } = parts;
  return {
    ...parts.backups,
    ...parts.schedules,
    ...parts.mods.calls,
    ...parts.copies,
    async *provision(instanceId, signal) {
      const { config } = await peers.daemon.instance(instanceId);
      yield* provisionAsJob(config, { ...parts, signal });
    },
    waitForJob: (jobId, signal) => queue.wait(jobId, signal),
    jobs: () => queue.all(),
    job: (jobId) => queue.find(jobId),
    watchJobs: (signal) => watchJobs(queue, signal),
    async testStore(name, signal) {
      await testStore(name, parts, signal);
      // It works: what waits for it need not.
      parts.replication.hurry([name]);
    },
    async forgetInstance(request) {
      await parts.backups.forgetInstance(request);
      if (request.mods) parts.mods.forget(request.instanceId);
      await parts.records.remove(request.instanceId);
    },
    softwareVersions: parts.versions,
    ...parts.runtimeCalls,
    stats: parts.stats,
    cancel: (jobId) => queue.cancel(jobId),
  };
}
