import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { addressGroup } from '../../../../shared/node/address-group.ts';
import { createRateLimit } from '../../../../shared/node/rate-limit.ts';
import type { DaemonDirectory } from '../../daemons/directory.ts';
import { bearerOf } from '../../http/refuse.ts';
import type { LiveKeys } from '../../oauth/keys/live-keys.ts';
import { signAccessToken } from '../../oauth/tokens/sign-access-token.ts';
import { relayTarget } from '../../relay/relay-target.ts';
import { isScrapeToken, type ScrapeTokens } from './scrape-tokens.ts';

/** What the daemon shows as the client. */
const CLIENT = 'prometheus';
/** It is used at once, and never leaves the proxy and the daemon. */
const LIFETIME_S = 60;
/** Look-ups of tokens from one address: more than any Prometheus needs. */
const LOOK_UPS = { requestsPerSecond: 100, burst: 2_000 };

export interface ExchangeOptions {
  scrapeTokens: ScrapeTokens;
  directory: Pick<DaemonDirectory, 'find'>;
  keys: LiveKeys;
  issuer: string;
  /** Milliseconds. */
  now: () => number;
}

/**
 * `GET /d/{daemonId}/metrics` with a scrape token becomes the same request with an access token for that daemon, which the daemon checks like every
 * other one. Scrape tokens are good for nothing else.
 */
export function exchangeScrapeTokens(app: FastifyInstance, options: ExchangeOptions): void {
  const { scrapeTokens, directory, now } = options;
  const lookUps = createRateLimit(() => LOOK_UPS);

  app.addHook('onRequest', async ({ raw, ip }) => {
    const token = bearerOf(raw);
    if (token === undefined || !isScrapeToken(token) || raw.method !== 'GET') return;
    const target = relayTarget(raw.url ?? '');
    if (target?.path !== '/metrics' || lookUps.take(addressGroup(ip), now()) > 0) return;
    const accountId = await scrapeTokens.accountOf(token);
    const daemon = accountId === undefined ? undefined : await directory.find(target.daemonId);
    // The relay refuses what is left as it is.
    if (accountId === undefined || daemon?.accountId !== accountId) return;
    raw.headers.authorization = `Bearer ${await accessToken(options, { accountId, daemonId: target.daemonId })}`;
  });
}

/** A grant of its own for each, which nobody can revoke: a token that was removed is not exchanged any more. */
function accessToken(
  { keys, issuer, now }: ExchangeOptions,
  owner: { accountId: string; daemonId: string },
): Promise<string> {
  const issuedAt = Math.floor(now() / 1000);
  const grantId = `prometheus-${randomUUID()}`;
  const token = {
    ...owner,
    client: CLIENT,
    scope: 'servers:read',
    grantId,
    issuedAt,
    expiresAt: issuedAt + LIFETIME_S,
  };
  return signAccessToken({ keys, issuer }, token);
}
