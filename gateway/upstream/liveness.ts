import type { Daemon } from './clients.ts';

/** `/health` says 500 when the daemon is silent for longer (api.md, Errors). */
const ANSWER_WITHIN_MS = 1_000;
/** One proof of life serves every request of this time, so that polling `/health` costs the daemon nothing. */
const PROOF_LASTS_MS = 250;

export interface Liveness {
  /** True when the proof of the last moment still holds: nothing to wait for. */
  isFresh(now: number): boolean;
  /** Resolves when the daemon has answered; rejects when it has not within a second. `now` in milliseconds. */
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

  // A proof from the future is one from before the clock was set back.
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
