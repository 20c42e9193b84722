import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** Keys are asked for again after this time, so that one that was withdrawn ends here, too. */
const FRESH_MS = 10 * 60_000;
/** While the proxy cannot be reached, the keys known last still count for so long. */
const USABLE_MS = 24 * 3_600_000;
/** Tokens with invented key ids cannot make us ask more often. */
const COOL_DOWN_MS = 30_000;
/** After an attempt that failed. */
const RETRY_MS = 5_000;

/** The public keys of a proxy: fetched when they are needed, and again when they may have changed. `now` in milliseconds. */
export interface KeySet {
  /** Where the key of a token is found, for jose. Throws `proxy_unavailable` while nothing is known that still counts. */
  at(now: number): JWTVerifyGetKey;
  /** True while what was found with these keys needs no second look. */
  isFresh(now: number): boolean;
}

export interface KeySetOptions {
  fetch: () => Promise<JSONWebKeySet>;
  /** Told why keys could not be had. */
  onFailure: (error: unknown) => void;
  /** Other keys than before have come. */
  onChange: () => void;
}

/**
 * jose's own remote key set asks again with every request while the proxy is away, lets go of its keys when they are due, and knows
 * no clock but the machine's; hence this one around its local set.
 */
export function createKeySet({ fetch, onFailure, onChange }: KeySetOptions): KeySet {
  let known: { keys: JWTVerifyGetKey; text: string; at: number } | undefined;
  let attempt: { at: number; failed: boolean } | undefined;
  let fetching: Promise<boolean> | undefined;

  /** Resolves to whether keys have just come. */
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
      known = { keys, text, at: now };
      if (changed) onChange();
      return true;
    } catch (error) {
      attempt = { at: now, failed: true };
      onFailure(error);
      return false;
    }
  }

  const isFresh = (now: number) => known !== undefined && isWithin(now, known.at, FRESH_MS);

  return {
    isFresh,
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

/** A clock that was set back ends a wait rather than prolonging it. */
function isWithin(now: number, since: number, duration: number): boolean {
  return now >= since && now - since < duration;
}
