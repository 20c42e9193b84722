import type { DaemonStats, JobsStats, SupervisorStats } from '../../shared/contract/stats.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Daemon } from './clients.ts';
import type { InstanceView } from './instance-view.ts';
import type { PassiveJobs } from './passive-jobs.ts';
import type { Supervisors } from './supervisors.ts';

export type { BackupTotals, JobsStats, ProcessStats, SupervisorStats } from '../../shared/contract/stats.ts';

/** Less than the second that a scrape may take, so that there is time to write its answer. */
const ANSWER_WITHIN_MS = 700;
const SILENT = { up: false, stats: undefined };

/** What became of asking a process. */
export interface Answer<T> {
  /** It answered in time, if only that it cannot say: a supervisor may be older than we are. */
  up: boolean;
  stats: T | undefined;
}

/** What the other processes say of themselves. */
export interface Stats {
  daemon: Answer<DaemonStats>;
  /** `undefined`: nobody has needed it so far. */
  jobs: Answer<JobsStats> | undefined;
  /** Of each instance whose supervisor should be there. */
  supervisors: ReadonlyMap<string, Answer<SupervisorStats>>;
}

export interface StatsOptions {
  daemon: Daemon;
  view: InstanceView;
  supervisors: Supervisors;
  jobs: PassiveJobs;
}

/** Returns how to ask all processes at once. None is started by that, and none that is silent makes the others wait. */
export function createStatsReader({ daemon, view, supervisors, jobs }: StatsOptions): () => Promise<Stats> {
  return async () => {
    const options = { timeoutMs: ANSWER_WITHIN_MS };
    const late = Promise.withResolvers<typeof SILENT>();
    const timer = setTimeout(() => late.resolve(SILENT), ANSWER_WITHIN_MS);
    const inTime = <T>(asking: Promise<T>): Promise<Answer<T>> =>
      Promise.race([
        asking.then(
          (stats) => ({ up: true, stats }),
          // Who is not there, or hangs, is shown as such.
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

/** True for an error that came from the process itself, not from the way to it. */
function hasAnswered(error: unknown): boolean {
  return error instanceof GamekeeperError && error.code === 'internal_error';
}
