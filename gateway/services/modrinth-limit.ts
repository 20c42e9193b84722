import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { createRateLimit } from '../../shared/node/rate-limit.ts';
import type { Identity } from '../auth/identity.ts';

/** Modrinth allows 300 requests per minute, and a question needs one or two. Bursts are for a user who is typing. */
const QUESTIONS = { requestsPerSecond: 1, burst: 15 };

export type Asker = Pick<Identity, 'kind' | 'credential'>;

/** Counts a question to Modrinth. Throws `rate_limited` if the credential has asked too many. */
export type ModrinthLimit = (by: Asker) => void;

/** `now` is in milliseconds since the epoch. */
export function createModrinthLimit(now: () => number): ModrinthLimit {
  const questions = createRateLimit(() => QUESTIONS);
  return ({ kind, credential }) => {
    const seconds = kind === 'local' ? 0 : questions.take(credential, now());
    if (seconds > 0)
      throw new GamekeeperError('rate_limited', 'Too many questions to Modrinth.', { retryAfterSeconds: seconds });
  };
}
