import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../shared/node/logger.ts';
import { nextRestart } from './restart-policy.ts';
import { type Child, hasSaidWhy } from './spawn.ts';

/** A process that is there as long as the daemon wants it. */
export interface ManagedProcess<Ready> {
  /** What the running process said about itself; while it is being started again, what the next one will say. */
  ready(): Promise<Ready>;
  /** How often it had to be started again. */
  readonly restarts: number;
  /** Ends it for good. Resolves when it is gone. */
  stop(graceMs: number): Promise<void>;
}

export interface KeepOptions<Ready> {
  /** As in log lines. */
  name: string;
  /** Starts one. */
  start(): Child<Ready>;
  log: Logger;
  /** Fires when the daemon is to end: nothing is started again from then on. */
  ending: AbortSignal;
  /** How many may be started until one is ready. One that says why it cannot serve is the last in any case; 1 if absent. */
  firstAttempts?: number;
}

/**
 * Starts a process and starts it again whenever it ends (restart-policy.ts). Resolves when the first one is ready and rejects, for
 * good and with the words of the last, when none gets there.
 */
export async function manageProcess<Ready>({
  name,
  start,
  log,
  ending,
  firstAttempts = 1,
}: KeepOptions<Ready>): Promise<ManagedProcess<Ready>> {
  let failures = 0;
  let restarts = 0;
  let stopped = false;
  let waiting: { timer: NodeJS.Timeout; giveUp: (error: unknown) => void } | undefined;
  let startedAt = performance.now();
  let child = start();
  while (!(await getsReady())) {
    restarts++;
    startedAt = performance.now();
    child = start();
  }
  let current: Promise<Ready> = child.ready;
  void child.exited.then(restart);

  /** False when it has merely died, and the next one may be started. Throws what is to be the end of it. */
  async function getsReady(): Promise<boolean> {
    try {
      await child.ready;
      return true;
    } catch (error) {
      const reason = await child.exited;
      if (hasSaidWhy(error) || restarts + 1 >= firstAttempts) throw error;
      await delay(pauseAfter(reason), undefined, { signal: ending }).catch(() => undefined); // cut short only by the signal
      if (ending.aborted) throw error;
      return false;
    }
  }

  /** How long to wait before it is started again, milliseconds. */
  function pauseAfter(reason: string): number {
    const next = nextRestart(failures, { lived: performance.now() - startedAt, jitter: Math.random() });
    failures = next.failures;
    log.warn({ reason, restartInMs: next.delayMs }, `the ${name} went away`);
    return next.delayMs;
  }

  function restart(reason: string): void {
    if (stopped || ending.aborted) return;
    const pauseMs = pauseAfter(reason);
    current = new Promise<Ready>((resolve, reject) => {
      waiting = { timer: setTimeout(() => startAgain().then(resolve, reject), pauseMs), giveUp: reject };
    });
    // Whoever waits for it has this promise; maybe nobody does.
    current.catch(() => undefined);
  }

  async function startAgain(): Promise<Ready> {
    waiting = undefined;
    restarts++;
    startedAt = performance.now();
    try {
      child = start();
    } catch (error) {
      // Not even a process: no disk or descriptor left. That may pass.
      restart(`could not be started: ${(error as Error).message}`);
      throw error;
    }
    void child.exited.then(restart);
    const ready = await child.ready;
    log.info({ pid: child.pid }, `the ${name} is back`);
    return ready;
  }

  return {
    ready: () => current,
    get restarts() {
      return restarts;
    },
    async stop(graceMs) {
      stopped = true;
      if (waiting) {
        clearTimeout(waiting.timer);
        waiting.giveUp(new Error(`the ${name} was stopped`));
      } else {
        await child.stop(graceMs);
      }
    },
  };
}
