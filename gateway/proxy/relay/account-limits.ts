import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { createRateLimit } from '../../../shared/node/rate-limit.ts';

/** What one account may use of a relay. */
export interface RelayLimits {
  requestsPerSecond: number;
  burst: number;
  /** Requests under way. */
  requests: number;
  /** Open WebSockets. */
  sockets: number;
  /** Size of one request's body. */
  bodyBytes: number;
}

export const RELAY_LIMITS: RelayLimits = {
  requestsPerSecond: 50,
  burst: 200,
  requests: 64,
  sockets: 64,
  bodyBytes: 8 * 1024 ** 3,
};

const RETRY_AFTER_SECONDS = 1;

type Kind = 'requests' | 'sockets';
const WORDS: Readonly<Record<Kind, string>> = { requests: 'requests are under way', sockets: 'consoles are open' };

/** Counts what each account uses. */
export interface AccountLimits {
  readonly limits: RelayLimits;
  /** Takes a place. Throws `rate_limited` if there is none. Returns how to give it back. */
  enter(accountId: string, kind: Kind, now: number): () => void;
}

export function createAccountLimits(limits: RelayLimits = RELAY_LIMITS): AccountLimits {
  const rate = createRateLimit(() => limits);
  const taken = new Map<string, number>();

  function change(key: string, by: number): void {
    const count = (taken.get(key) ?? 0) + by;
    if (count > 0) taken.set(key, count);
    else taken.delete(key);
  }

  return {
    limits,
    enter(accountId, kind, now) {
      const seconds = rate.take(accountId, now);
      if (seconds > 0)
        throw new GamekeeperError('rate_limited', 'Too many requests for this account.', {
          retryAfterSeconds: seconds,
        });
      const key = `${kind} ${accountId}`;
      if ((taken.get(key) ?? 0) >= limits[kind])
        throw new GamekeeperError(
          'rate_limited',
          `${limits[kind]} ${WORDS[kind]} for this account, which is the limit.`,
          {
            resolution: 'Wait until one has ended, or close one.',
            retryAfterSeconds: RETRY_AFTER_SECONDS,
          },
        );
      change(key, 1);
      let left = false;
      return () => {
        if (!left) change(key, -1);
        left = true;
      };
    },
  };
}
