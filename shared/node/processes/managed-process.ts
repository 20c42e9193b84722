import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import { nextRestart } from './restart-policy.ts';
import { type Child, hasReportedWhy } from './spawn.ts';

/** A process that the daemon keeps running. */
export interface ManagedProcess<Ready> {
  /** Resolves to what the running process reported when it was ready; during a restart, to what the next one will report. */
  ready(): Promise<Ready>;
  /** How often it was replaced. */
  readonly restarts: number;
  /** Ends it for good. Resolves when it is gone. */
  stop(graceMs: number): Promise<void>;
}

export interface ManageOptions<Ready> {
  /** For log lines. */
  name: string;
  start(): Child<Ready>;
  log: Logger;
  /** Fires when the daemon shuts down: nothing is started again from then on. */
  ending: AbortSignal;
  /** How many attempts the first start has, default 1. A process that reports why it cannot serve is always the last attempt. */
  firstAttempts?: number;
}

/**
 * Starts a process and starts it again whenever it ends (restart-policy.ts). Resolves when the first one is ready. Rejects with the failure
 * of the last attempt if none gets ready.
 */
export async function manageProcess<Ready>({
  name,
  start,
  log,
  ending,
  firstAttempts = 1,
}: ManageOptions<Ready>): Promise<ManagedProcess<Ready>> {
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

  /** Resolves to false if it died and the next one may be started. Rejects if there will be no next one. */
  async function getsReady(): Promise<boolean> {
    try {
      await child.ready;
      return true;
    } catch (error) {
      const reason = await child.exited;
      if (hasReportedWhy(error) || restarts + 1 >= firstAttempts) throw error;
      await delay(pauseAfter(reason), undefined, { signal: ending }).catch(() => undefined); // rejects only if aborted
      if (ending.aborted) throw error;
      return false;
    }
  }

  /** Returns how long to wait before the next start, milliseconds. */
  function pauseAfter(reason: string): number {
    const next = nextRestart(failures, { lived: performance.now() - startedAt, jitter: Math.random() });
    failures = next.failures;
    log.warn({ reason, restartInMs: next.delayMs }, `the ${name} ended`);
    return next.delayMs;
  }

  function restart(reason: string): void {
    if (stopped || ending.aborted) return;
    const pauseMs = pauseAfter(reason);
    current = new Promise<Ready>((resolve, reject) => {
      waiting = { timer: setTimeout(() => startAgain().then(resolve, reject), pauseMs), giveUp: reject };
    });
    current.catch(() => undefined); // a caller of `ready` gets the rejection, if there is one
  }

  async function startAgain(): Promise<Ready> {
    waiting = undefined;
    restarts++;
    startedAt = performance.now();
    try {
      child = start();
    } catch (error) {
      // No process could be created, for lack of disk space or file descriptors. That may pass.
      restart(`could not be started: ${(error as Error).message}`);
      throw error;
    }
    void child.exited.then(restart);
    const ready = await child.ready;
    log.info({ pid: child.pid }, `the ${name} runs again`);
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
