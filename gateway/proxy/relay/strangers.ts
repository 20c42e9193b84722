import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { addressGroup } from '../../../shared/node/address-group.ts';
import { createRateLimit } from '../../../shared/node/rate-limit.ts';

/** Per address group: requests whose token is not known to be good. Each costs a signature check. */
const STRANGERS = { requestsPerSecond: 10, burst: 100 };

/** Limits the requests of addresses that have not shown a good token, before their tokens are checked. */
export interface Strangers {
  /** Takes a place. Throws `rate_limited` if there is none. Returns how to give it back, for a token that is good. */
  enter(address: string, now: number): () => void;
}

export function createStrangers(): Strangers {
  const limit = createRateLimit(() => STRANGERS);
  return {
    enter(address, now) {
      const group = addressGroup(address);
      const seconds = limit.take(group, now);
      if (seconds > 0) throw new GamekeeperError('rate_limited', 'Too many requests.', { retryAfterSeconds: seconds });
      return () => limit.giveBack(group);
    },
  };
}
