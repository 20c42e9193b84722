import type { JobsPresence } from '../../shared/contract/daemon.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { LatestValue } from '../../shared/node/primitives/latest-value.ts';
import { recordChild } from './former-children.ts';
import { type ManagedProcess, manageProcess } from './managed-process.ts';
import { PROGRAMS } from './programs.ts';
import { type Child, startChild } from './spawn.ts';

/** Time for jobs to stop what they are doing, remove what is half done, and release a locked world. Milliseconds. */
const JOBS_GRACE_MS = 4_000;

/** The process for slow work: started on first need, and from then on kept. */
export interface JobsProcess {
  /** Resolves when it serves. Callers at the same time share one start. */
  ensure(): Promise<void>;
  /** Its presence at once, then each change; nobody starts it by looking. */
  watch(signal: AbortSignal): AsyncIterable<JobsPresence>;
  /** How often it had to be started again. */
  restarts(): number;
  /** Ends it for good, if it was ever started. */
  stop(): Promise<void>;
}

export function createJobsProcess({
  home,
  log,
  ending,
  entry = PROGRAMS.jobs,
}: {
  home: Home;
  log: Logger;
  ending: AbortSignal;
  entry?: string;
}): JobsProcess {
  const presence = new LatestValue<JobsPresence>({ wanted: false, socket: null });
  let kept: Promise<ManagedProcess<unknown>> | undefined;
  let running: ManagedProcess<unknown> | undefined;
  let stopped = false;

  function show(change: Partial<JobsPresence>): void {
    presence.set({ ...presence.value, ...change });
  }

  function startOne(): Child<unknown> {
    const args = ['--home', home.root];
    const child = startChild({ name: 'jobs process', entry, args, logFile: `${home.logs}/jobs.log` });
    recordChild(home, 'jobs', child.pid).catch((error: unknown) =>
      log.warn({ err: error }, 'which process jobs is could not be put on record'),
    );
    // Whoever waits for it hears of one that does not get ready.
    child.ready.then(
      () => show({ socket: home.jobsSocket }),
      () => undefined,
    );
    void child.exited.then(() => show({ socket: null }));
    return child;
  }

  function start(): Promise<ManagedProcess<unknown>> {
    show({ wanted: true });
    const starting = manageProcess({ name: 'jobs process', log, ending, start: startOne });
    starting.then(
      (process) => {
        running = process;
      },
      // A first start that failed is tried again on the next need.
      () => {
        show({ wanted: false });
        if (kept === starting) kept = undefined;
      },
    );
    return starting;
  }

  return {
    async ensure() {
      if (stopped) throw new GamekeeperError('shutting_down', 'Gamekeeper is shutting down.');
      kept ??= start();
      await (await kept).ready();
    },
    watch: (signal) => presence.follow(signal),
    restarts: () => running?.restarts ?? 0,
    async stop() {
      stopped = true;
      const last = await kept?.catch(() => undefined); // One that could not be started need not be ended.
      await last?.stop(JOBS_GRACE_MS);
    },
  };
}
