import type { ProcessPresence } from '../../shared/contract/daemon.ts';
import type { JobEvent } from '../../shared/contract/jobs.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { connectJobs, type JobsClient } from '../../shared/node/ipc/connect.ts';
import type { ScheduleRun } from '../../shared/schema/schedule.ts';
import type { Daemon } from './clients.ts';
import { follow } from './follow.ts';

export type { JobEvent };

/** The jobs process for observers: nothing here makes the daemon start it. */
export interface PassiveJobs {
  readonly presence: ProcessPresence;
  /** Throws `worker_unavailable` while it does not run. */
  readonly call: JobsClient['call'];
  /** Follows every job while the process runs, starting with a snapshot. Returns how to stop. */
  watch(onEvent: (event: JobEvent) => void): () => void;
  watchRuns(onRun: (event: { instanceId: string; run: ScheduleRun }) => void): () => void;
  close(): void;
}

export function createPassiveJobs(daemon: Daemon, onLost: (error: unknown) => void): PassiveJobs {
  const listeners = new Set<() => void>();
  const watchers = new Set<() => void>();
  let presence: ProcessPresence = { wanted: false, socket: null };
  const client = connectJobs(async () => {
    if (presence.socket === null) throw new GamekeeperError('worker_unavailable', 'The jobs process is not running.');
    return presence.socket;
  });
  const stop = follow({
    subscribe: (signal) => daemon.call.watchJobsPresence(undefined, { signal }),
    onItem(next) {
      presence = next;
      for (const listener of listeners) listener();
    },
    onLost,
  });

  /** Calls `begin` whenever the process starts to serve. */
  function whilePresent(begin: () => () => void): () => void {
    let stopFollowing: (() => void) | undefined;
    const restart = () => {
      stopFollowing?.();
      stopFollowing = presence.socket === null ? undefined : begin();
    };
    listeners.add(restart);
    restart();
    const stopWatching = () => {
      listeners.delete(restart);
      watchers.delete(stopWatching);
      stopFollowing?.();
    };
    watchers.add(stopWatching);
    return stopWatching;
  }

  return {
    get presence() {
      return presence;
    },
    call: client.call,
    watch: (onItem) =>
      whilePresent(() => follow({ subscribe: (signal) => client.call.watchJobs(undefined, { signal }), onItem })),
    watchRuns: (onItem) =>
      whilePresent(() =>
        follow({ subscribe: (signal) => client.call.watchScheduleRuns(undefined, { signal }), onItem }),
      ),
    close() {
      stop();
      for (const stopWatching of [...watchers]) stopWatching();
      client.close();
    },
  };
}
