import type { ProcessPresence } from '../../shared/contract/daemon.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { LatestValue } from '../../shared/node/primitives/latest-value.ts';
import { type ManagedProcess, manageProcess } from '../../shared/node/processes/managed-process.ts';
import { type Child, startChild } from '../../shared/node/processes/spawn.ts';
import { type ChildName, recordChild } from './former-children.ts';
import { PROGRAMS } from './programs.ts';

/** Time for a process to stop its work, remove what is half done and release a locked world. Milliseconds. */
const GRACE_MS = 4_000;

/** A process that is started when it is first needed, then kept running. */
export interface OnDemandProcess {
  /** Resolves when it serves. Callers at the same time share one start. */
  ensure(): Promise<void>;
  /** Yields its presence at once and after each change. Watching does not start it. */
  watch(signal: AbortSignal): AsyncIterable<ProcessPresence>;
  /** How often it was replaced. */
  restarts(): number;
  /** Ends it for good, if it was started. */
  stop(): Promise<void>;
}

export interface OnDemandProcessOptions {
  name: Extract<ChildName, 'jobs' | 'files'>;
  home: Home;
  log: Logger;
  ending: AbortSignal;
  /** Default: the program of that name. */
  entry?: string;
}

export function createOnDemandProcess(options: OnDemandProcessOptions): OnDemandProcess {
  const { name, home, log, ending, entry = PROGRAMS[name] } = options;
  const title = `${name} process`;
  const socket = { jobs: home.jobsSocket, files: home.filesSocket }[name];
  const presence = new LatestValue<ProcessPresence>({ wanted: false, socket: null });
  let starting: Promise<ManagedProcess<unknown>> | undefined;
  let managed: ManagedProcess<unknown> | undefined;
  let isStopped = false;

  const show = (change: Partial<ProcessPresence>) => presence.set({ ...presence.value, ...change });

  function startOne(): Child<unknown> {
    const command = { entry, args: ['--home', home.root] };
    const child = startChild({
      name: title,
      command,
      logFile: `${home.logs}/${name}.log`,
      process: { ownSession: true },
    });
    recordChild(home, name, child.pid).catch((error: unknown) =>
      log.warn({ err: error }, `the ${title} could not be recorded`),
    );
    child.ready.then(
      () => show({ socket }),
      () => undefined, // reported to the caller that awaits the start
    );
    void child.exited.then(() => show({ socket: null }));
    return child;
  }

  function start(): Promise<ManagedProcess<unknown>> {
    show({ wanted: true });
    const attempt = manageProcess({ name: title, log, ending, start: startOne });
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
      await last?.stop(GRACE_MS);
    },
  };
}
