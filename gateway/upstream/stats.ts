import type { DaemonFigures, JobsFigures, SupervisorFigures } from '../../shared/contract/stats.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Daemon } from './daemon.ts';
import type { InstanceView } from './instance-view.ts';
import type { PassiveJobs } from './passive-jobs.ts';
import type { Supervisors } from './supervisors.ts';

export type { BackupTotals, JobsFigures, ProcessFigures, SupervisorFigures } from '../../shared/contract/stats.ts';

/** Less than the second that a scrape may take, so that there is time to write its answer. */
const ANSWER_WITHIN_MS = 700;
const SILENT = { up: false, figures: undefined };

/** What became of asking a process. */
export interface Answer<T> {
  /** It answered in time, if only that it cannot say: a supervisor may be older than we are. */
  up: boolean;
  figures: T | undefined;
}

/** What the other processes say of themselves. */
export interface Figures {
  daemon: Answer<DaemonFigures>;
  /** `undefined`: nobody has needed it so far. */
  jobs: Answer<JobsFigures> | undefined;
  /** Of each instance whose supervisor should be there. */
  supervisors: ReadonlyMap<string, Answer<SupervisorFigures>>;
}

export interface FiguresOptions {
  daemon: Daemon;
  view: InstanceView;
  supervisors: Supervisors;
  jobs: PassiveJobs;
}

/** Returns how to ask all processes at once. None is started by that, and none that is silent makes the others wait. */
export function figuresOf({ daemon, view, supervisors, jobs }: FiguresOptions): () => Promise<Figures> {
  return async () => {
    const options = { timeoutMs: ANSWER_WITHIN_MS };
    const late = Promise.withResolvers<typeof SILENT>();
    const timer = setTimeout(() => late.resolve(SILENT), ANSWER_WITHIN_MS);
    const inTime = <T>(asking: Promise<T>): Promise<Answer<T>> =>
      Promise.race([
        asking.then(
          (figures) => ({ up: true, figures }),
          // Who is not there, or hangs, is shown as such.
          (error: unknown) => ({ up: hasAnswered(error), figures: undefined }),
        ),
        late.promise,
      ]);
    const watched = Array.from(view.all()).filter(({ socket }) => socket !== null);
    const [ofDaemon, ofJobs, ofSupervisors] = await Promise.all([
      inTime(daemon.call.figures(undefined, options)),
      jobs.presence.wanted ? inTime(jobs.call.figures(undefined, options)) : undefined,
      Promise.all(
        watched.map(async ({ config: { id } }) => {
          const asking = supervisors.peek(id)?.figures(undefined, options);
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
