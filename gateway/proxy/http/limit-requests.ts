import type { FastifyInstance } from 'fastify';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { addressGroup } from '../../../shared/node/address-group.ts';
import { createRateLimit } from '../../../shared/node/rate-limit.ts';

/** Per address group: pages, tokens and the API. Relayed requests have their own limits. */
const REQUESTS = { requestsPerSecond: 20, burst: 200 };
/** User codes have 34 bits and live for 10 minutes, so they must not be tried out (RFC 8628, section 5.1). */
const USER_CODES = { requestsPerSecond: 0.1, burst: 20 };

/** Bodies have some KiB here. */
const BODY_TIMEOUT_MS = 30_000;
const RELAYED = '/d/';

/**
 * Limits the requests of one client, and the time that each may take to arrive. Relayed requests have limits of their own, and may take hours
 * to arrive once they are admitted.
 */
export function limitRequests(app: FastifyInstance, now: () => number): void {
  const requests = createRateLimit(() => REQUESTS);
  const userCodes = createRateLimit(() => USER_CODES);
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    if (raw.url?.startsWith(RELAYED)) return done();
    const late = setTimeout(() => raw.destroy(), BODY_TIMEOUT_MS);
    for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(late));
    const group = addressGroup(request.ip);
    const triesCode = request.method === 'POST' && request.routeOptions.url === '/device';
    const seconds = requests.take(group, now()) || (triesCode ? userCodes.take(group, now()) : 0);
    if (seconds === 0) done();
    else
      done(
        new GamekeeperError('rate_limited', 'Too many requests from this address.', {
          retryAfterSeconds: Math.ceil(seconds),
        }),
      );
  });
}
