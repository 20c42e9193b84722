import type { DaemonFigures, JobsFigures, SupervisorFigures } from '../../shared/contract/figures.ts';
import type { Daemon } from './daemon.ts';
import type { InstanceView } from './instance-view.ts';
import type { PassiveJobs } from './passive-jobs.ts';
import type { Supervisors } from './supervisors.ts';

export type { BackupTotals, JobsFigures, ProcessFigures, SupervisorFigures } from '../../shared/contract/figures.ts';

/** Less than the second that a scrape may take, so that there is time to write its answer. */
const ANSWER_WITHIN_MS = 700;

/** What the other processes say of themselves; `undefined` for one that did not answer in time. */
export interface Figures {
  daemon: DaemonFigures | undefined;
  jobs: JobsFigures | undefined;
  /** Of each instance whose supervisor should be there. */
  supervisors: ReadonlyMap<string, SupervisorFigures | undefined>;
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
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), ANSWER_WITHIN_MS);
    // Who is not there, or hangs, is shown as such.
    const inTime = <T>(asking: Promise<T>) => Promise.race([asking.catch(() => undefined), late.promise]);
    const watched = Array.from(view.all()).filter(({ socket }) => socket !== null);
    const [ofDaemon, ofJobs, ofSupervisors] = await Promise.all([
      inTime(daemon.call.figures(undefined, options)),
      jobs.presence.wanted ? inTime(jobs.call.figures(undefined, options)) : undefined,
      Promise.all(
        watched.map(async ({ config: { id } }) => {
          const asking = supervisors.peek(id)?.figures(undefined, options);
          return [id, asking && (await inTime(asking))] as const;
        }),
      ),
    ]);
    clearTimeout(timer);
    return { daemon: ofDaemon, jobs: ofJobs, supervisors: new Map(ofSupervisors) };
  };
}
