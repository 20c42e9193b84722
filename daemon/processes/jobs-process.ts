import type { JobsPresence } from '../../shared/contract/daemon.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { LatestValue } from '../../shared/node/primitives/latest-value.ts';
import { type ManagedProcess, manageProcess } from '../../shared/node/processes/managed-process.ts';
import { type Child, startChild } from '../../shared/node/processes/spawn.ts';
import { recordChild } from './former-children.ts';
import { PROGRAMS } from './programs.ts';

/** Time for the jobs process to stop its work, remove what is half done and release a locked world. Milliseconds. */
const JOBS_GRACE_MS = 4_000;

/** The process for slow work. Started when first needed, then kept running. */
export interface JobsProcess {
  /** Resolves when it serves. Callers at the same time share one start. */
  ensure(): Promise<void>;
  /** Yields its presence at once and after each change. Watching does not start it. */
  watch(signal: AbortSignal): AsyncIterable<JobsPresence>;
  /** How often it was replaced. */
  restarts(): number;
  /** Ends it for good, if it was started. */
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
  let starting: Promise<ManagedProcess<unknown>> | undefined;
  let managed: ManagedProcess<unknown> | undefined;
  let isStopped = false;

  const show = (change: Partial<JobsPresence>) => presence.set({ ...presence.value, ...change });

  function startOne(): Child<unknown> {
    const command = { entry, args: ['--home', home.root] };
    const child = startChild({ name: 'jobs process', command, logFile: `${home.logs}/jobs.log` });
    recordChild(home, 'jobs', child.pid).catch((error: unknown) =>
      log.warn({ err: error }, 'the jobs process could not be recorded'),
    );
    child.ready.then(
      () => show({ socket: home.jobsSocket }),
      () => undefined, // reported to the caller that awaits the start
    );
    void child.exited.then(() => show({ socket: null }));
    return child;
  }

  function start(): Promise<ManagedProcess<unknown>> {
    show({ wanted: true });
    const attempt = manageProcess({ name: 'jobs process', log, ending, start: startOne });
    attempt.then(
      (process) => {
        managed = process;
      },
      // The next caller tries again.
      () => {
        show({ wanted: false });
        if (starting === attempt) starting = undefined;
      },
    );
    return attempt;
  }

  return {
    async ensure() {
      if (isStopped) throw new GamekeeperError('shutting_down', 'Gamekeeper is shutting down.');
      starting ??= start();
      await (await starting).ready();
    },
    watch: (signal) => presence.follow(signal),
    restarts: () => managed?.restarts ?? 0,
    async stop() {
      isStopped = true;
      const last = await starting?.catch(() => undefined); // it has not started, so there is nothing to stop
      await last?.stop(JOBS_GRACE_MS);
    },
  };
}
