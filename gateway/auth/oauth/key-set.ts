import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** Keys are fetched again after this time, so that a withdrawn key stops working. */
const FRESH_MS = 10 * 60_000;
/** While the proxy is unreachable, the last known keys are used for this long. */
const USABLE_MS = 24 * 3_600_000;
/** Minimum between two fetches, so that tokens with invented key ids cannot cause more. */
const COOL_DOWN_MS = 30_000;
/** The same after a failed fetch. */
const RETRY_MS = 5_000;

/** The public keys of a proxy, fetched when first needed and when they may have changed. `now` in milliseconds. */
export interface KeySet {
  /** Returns jose's key look-up. It throws `proxy_unavailable` while no usable keys are known. */
  at(now: number): JWTVerifyGetKey;
  /** Returns true while a token that was verified with these keys does not need another check. */
  isFresh(now: number): boolean;
  /** They have changed: they are fetched before the next token is checked. */
  expire(): void;
}

export interface KeySetOptions {
  fetch: () => Promise<JSONWebKeySet>;
  onFailure: (error: unknown) => void;
  onChange: () => void;
}

/**
 * Wraps jose's local key set. jose's remote key set would fetch on every request while the proxy is away, drop keys as soon as they are
 * due, and cannot be given a clock.
 */
export function createKeySet({ fetch, onFailure, onChange }: KeySetOptions): KeySet {
  let known: { keys: JWTVerifyGetKey; text: string; at: number; expired: boolean } | undefined;
  let attempt: { at: number; failed: boolean } | undefined;
  let fetching: Promise<boolean> | undefined;

  function refresh(now: number): Promise<boolean> {
    if (fetching) return fetching;
    if (attempt && isWithin(now, attempt.at, attempt.failed ? RETRY_MS : COOL_DOWN_MS)) return Promise.resolve(false);
    attempt = { at: now, failed: false };
    fetching = load(now).finally(() => {
      fetching = undefined;
    });
    return fetching;
  }

  async function load(now: number): Promise<boolean> {
    try {
      const set = await fetch();
      const keys = createLocalJWKSet(set);
      const text = JSON.stringify(set);
      const changed = known !== undefined && known.text !== text;
      known = { keys, text, at: now, expired: false };
      if (changed) onChange();
      return true;
    } catch (error) {
      attempt = { at: now, failed: true };
      onFailure(error);
      return false;
    }
  }

  const isFresh = (now: number) => known !== undefined && !known.expired && isWithin(now, known.at, FRESH_MS);

  return {
    isFresh,
    expire() {
      if (known) known.expired = true;
      attempt = undefined; // The proxy says so itself: no need to wait.
    },
    at: (now) => async (header, token) => {
      if (!isFresh(now)) await refresh(now);
      if (!known || !isWithin(now, known.at, USABLE_MS))
        throw new GamekeeperError('proxy_unavailable', 'The keys of the paired proxy cannot be fetched.', {
          retryAfterSeconds: RETRY_MS / 1000,
        });
      try {
        return await known.keys(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || !(await refresh(now))) throw error;
        return known.keys(header, token);
      }
    },
  };
}

/** If the clock was set back, the wait ends instead of getting longer. */
function isWithin(now: number, since: number, duration: number): boolean {
  return now >= since && now - since < duration;
}
