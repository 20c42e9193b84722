import { Piscina } from 'piscina';
import { fromCodedFailure } from '../../../shared/errors/gamekeeper-error.ts';
import type { Outcome, PoolTaskName, PoolTasks } from '../../pool/task-types.ts';

/** The most that `backups.concurrency` allows: the queue decides how many of them there really are. */
const MAX_THREADS = 16;
/** A thread costs memory while it waits and 30 ms to make; backups come in bursts or hours apart. */
const IDLE_MS = 10_000;

/** Threads for what would block this process: archiving, extracting, hashing. */
export interface Pool {
  /** Runs one task in a thread of its own. An abort ends the thread and rejects with the signal's reason. */
  run<Name extends PoolTaskName>(
    name: Name,
    task: PoolTasks[Name]['task'],
    signal: AbortSignal,
  ): Promise<PoolTasks[Name]['result']>;
  close(): Promise<void>;
}

/** `entry` is the absolute path of the program of the threads (workers/pool/main). No thread is made before the first task. */
export function createPool(entry: string): Pool {
  const piscina = new Piscina({
    filename: entry,
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: IDLE_MS,
    // Between tasks a thread must not block its event loop: closing files takes turns of it.
    atomics: 'disabled',
    recordTiming: false,
  });
  return {
    async run(name, task, signal) {
      try {
        const outcome = (await piscina.run(task, { name, signal })) as Outcome<typeof name>;
        if ('failure' in outcome) throw fromCodedFailure(outcome.failure);
        return outcome.result;
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      }
    },
    close: () => piscina.destroy(),
  };
}
