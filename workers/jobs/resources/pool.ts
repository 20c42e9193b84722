import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { fromCodedFailure } from '../../../shared/errors/gamekeeper-error.ts';
import type { Outcome, PoolTaskName, PoolTasks } from '../../pool/task-types.ts';

/** The maximum of `backups.concurrency`; the job queue uses fewer. */
const MAX_THREADS = 16;
/** All exports that the gateway lets through at a time (gateway/work/work-table.ts): eight of administrators, eight of others. */
const STREAM_THREADS = 16;
/** All readers of backups that the gateway lets through at a time: eight downloads and eight lists of administrators, and as many of others. */
const READER_THREADS = 32;
/** A waiting thread costs memory, a new one 30 ms. Backups come in bursts, or hours apart. Milliseconds. */
const IDLE_MS = 10_000;

export interface Pool {
  /** Runs one task in a thread. An abort ends the thread and rejects with the signal's reason. `ports` move to the thread. */
  run<Name extends PoolTaskName>(
    name: Name,
    task: PoolTasks[Name]['task'],
    signal: AbortSignal,
    ports?: readonly MessagePort[],
  ): Promise<PoolTasks[Name]['result']>;
  close(): Promise<void>;
}

/** `entry` is the absolute path of the threads' program (workers/pool/main.ts). The first task creates the first thread. */
export function createPool(entry: string): Pool {
  return poolOf(entry, MAX_THREADS);
}

/** Creates the pool for tasks that last as long as a reader elsewhere wants: backups must not wait for these. */
export function createStreamPool(entry: string): Pool {
  return poolOf(entry, STREAM_THREADS);
}

/** Creates the pool for browsing backups, which may wait for a store or a reader. */
export function createReaderPool(entry: string): Pool {
  return poolOf(entry, READER_THREADS);
}

function poolOf(entry: string, maxThreads: number): Pool {
  const piscina = new Piscina({
    filename: entry,
    minThreads: 0,
    maxThreads,
    idleTimeout: IDLE_MS,
    // An idle thread must not block its event loop, which it needs to finish closing files.
    atomics: 'disabled',
    recordTiming: false,
  });
  return {
    async run(name, task, signal, ports = []) {
      try {
        const outcome = (await piscina.run(task, { name, signal, transferList: [...ports] })) as Outcome<typeof name>;
        if ('failure' in outcome) throw fromCodedFailure(outcome.failure);
        return outcome.result;
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      }
    },
    close: () => piscina.destroy(),
  };
}
