import type { DaemonStats, JobsStats, SupervisorStats } from '../../shared/contract/stats.ts';
import { isGamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Daemon, Jobs } from './clients.ts';
import type { InstanceView } from './instance-view.ts';
import type { PassiveJobs } from './passive-jobs.ts';
import type { Supervisors } from './supervisors.ts';

export type { BackupTotals, JobsStats, ProcessStats, SupervisorStats } from '../../shared/contract/stats.ts';

/** A scrape may take a second; the rest of it is for writing the response. Milliseconds. */
const ANSWER_WITHIN_MS = 700;
const SILENT = { up: false, stats: undefined };

export interface Answer<T> {
  /** It answered in time, perhaps with an error: an older supervisor may not know the call. */
  up: boolean;
  stats: T | undefined;
}

export interface Stats {
  daemon: Answer<DaemonStats>;
  /** `undefined`: the process was not needed so far. */
  jobs: Answer<JobsStats> | undefined;
  supervisors: ReadonlyMap<string, Answer<SupervisorStats>>;
}

export interface StatsOptions {
  daemon: Daemon;
  view: InstanceView;
  supervisors: Supervisors;
  jobs: PassiveJobs;
}

/** Returns a function that asks all processes at once. It starts none, and a process that does not answer does not delay the others. */
export function createStatsReader({ daemon, view, supervisors, jobs }: StatsOptions): () => Promise<Stats> {
  return async () => {
    const options = { timeoutMs: ANSWER_WITHIN_MS };
    const late = Promise.withResolvers<typeof SILENT>();
    const timer = setTimeout(() => late.resolve(SILENT), ANSWER_WITHIN_MS);
    const inTime = <T>(asking: Promise<T>): Promise<Answer<T>> =>
      Promise.race([
        asking.then(
          (stats) => ({ up: true, stats }),
          (error: unknown) => ({ up: hasAnswered(error), stats: undefined }),
        ),
        late.promise,
      ]);
    const watched = Array.from(view.all()).filter(({ socket }) => socket !== null);
    const [ofDaemon, ofJobs, ofSupervisors] = await Promise.all([
      inTime(daemon.call.stats(undefined, options)),
      jobs.presence.wanted ? inTime(jobs.call.stats(undefined, options)) : undefined,
      Promise.all(
        watched.map(async ({ config: { id } }) => {
          const asking = supervisors.peek(id)?.stats(undefined, options);
          return [id, asking ? await inTime(asking) : SILENT] as const;
        }),
      ),
    ]);
    clearTimeout(timer);
    return { daemon: ofDaemon, jobs: ofJobs, supervisors: new Map(ofSupervisors) };
  };
}

/** Returns a function that resolves to the time of the newest good backup of each instance. It starts the jobs process if necessary. */
export function createNewestBackups(jobs: Jobs): () => Promise<ReadonlyMap<string, number>> {
  return async () => {
    const { backups } = await jobs.call.stats();
    return new Map(backups.map(({ instanceId, newest }) => [instanceId, newest.at]));
  };
}

/** Returns true for an error of the process itself, not of the connection to it. */
function hasAnswered(error: unknown): boolean {
  return isGamekeeperError(error, 'internal_error');
}
