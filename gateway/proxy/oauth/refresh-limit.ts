import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { createRateLimit } from '../../../shared/node/rate-limit.ts';

/** Of one grant: enough for a program that needs a token for each of 2,000 computers every ten minutes. */
const REFRESHES = { requestsPerSecond: 4, burst: 100 };
const TOO_MANY_REQUESTS = 429;

/** Throws if the tokens of a grant are refreshed too often. The refresh token stays good. */
export type LimitRefresh = (ctx: KoaContextWithOIDC) => void;

/** `now` in milliseconds. */
export function createRefreshLimit(now: () => number): LimitRefresh {
  const limit = createRateLimit(() => REFRESHES);
  return (ctx) => {
    const grantId = ctx.oidc.entities.RefreshToken?.grantId;
    const seconds = grantId === undefined ? 0 : limit.take(grantId, now());
    if (seconds === 0) return;
    ctx.set('retry-after', String(Math.ceil(seconds)));
    const error = new errors.OIDCProviderError(TOO_MANY_REQUESTS, 'temporarily_unavailable');
    error.error_description = 'too many refreshes of this grant. Wait a moment, then use the same refresh token again';
    throw error;
  };
}
