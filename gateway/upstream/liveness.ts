import type { Daemon } from './clients.ts';

/** `/health` returns 500 if the daemon does not answer within this time. */
const ANSWER_WITHIN_MS = 1_000;
/** One answer counts for this long, so that polling `/health` costs the daemon nothing. Milliseconds. */
const PROOF_LASTS_MS = 250;

export interface Liveness {
  /** Returns whether the daemon has answered recently enough. `now` in milliseconds. */
  isFresh(now: number): boolean;
  /** Resolves when the daemon has answered; rejects if it does not within a second. */
  prove(now: number): Promise<void>;
}

export function createLiveness(daemon: Daemon): Liveness {
  let provedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  async function ask(now: number): Promise<void> {
    try {
      await daemon.call.info(undefined, { timeoutMs: ANSWER_WITHIN_MS });
      provedAt = now;
    } finally {
      asking = undefined;
    }
  }

  // If the answer is in the future, the clock was set back since.
  const isFresh = (now: number) => now >= provedAt && now - provedAt < PROOF_LASTS_MS;
  return {
    isFresh,
    prove(now) {
      if (isFresh(now)) return Promise.resolve();
      asking ??= ask(now);
      return asking;
    },
  };
}
