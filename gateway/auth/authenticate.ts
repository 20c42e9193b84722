import type { FastifyRequest } from 'fastify';
import type { Credentials } from './credentials/credentials.ts';
import { cookieOf } from './credentials/session-cookie.ts';
import { type Identity, LOCAL_ADMINISTRATOR } from './identity.ts';
import { isOAuthToken } from './oauth/oauth-tokens.ts';

/** The credential of a request. If there are several, the first of these kinds counts, even if it is wrong. */
export type Shown =
  | { kind: 'bearer'; token: string }
  | { kind: 'ticket'; ticket: string; instanceId: string }
  | { kind: 'cookie'; value: string };

/** Returns the credential of a request. A ticket counts on the console's socket only. */
export function shownCredential(request: FastifyRequest): Shown | undefined {
  const bearer = bearerOf(request);
  if (bearer) return bearer;
  const { ticket } = request.query as { ticket?: unknown };
  const { id } = request.params as { id?: unknown };
  if (request.ws && typeof ticket === 'string' && typeof id === 'string')
    return { kind: 'ticket', ticket, instanceId: id };
  const value = cookieOf(request);
  return value === undefined ? undefined : { kind: 'cookie', value };
}

/**
 * Returns the credential of a request over the link. The proxy, and whoever controls it, sees every request: a cookie or a token of this
 * daemon would let it exceed the scopes that the owner has granted it.
 */
export function shownOverLink(request: FastifyRequest): Shown | undefined {
  const bearer = bearerOf(request);
  return bearer && isOAuthToken(bearer.token) ? bearer : undefined;
}

function bearerOf({ headers: { authorization } }: FastifyRequest): { kind: 'bearer'; token: string } | undefined {
  if (authorization === undefined) return undefined;
  return { kind: 'bearer', token: /^Bearer +([^ ]+)$/i.exec(authorization)?.[1] ?? '' };
}

/**
 * Returns the caller of the request, without a promise if the credential is cached. `beforeAsking` may throw to prevent a call to the
 * daemon. It gets the credential if it was issued here, or `undefined` if it may be invented.
 */
export function identify(
  shown: Shown | undefined,
  credentials: Credentials,
  { local, now, beforeAsking }: { local: boolean; now: number; beforeAsking: (credential: string | undefined) => void },
): Identity | undefined | Promise<Identity | undefined> {
  if (local) return LOCAL_ADMINISTRATOR;
  if (shown?.kind === 'bearer')
    return isOAuthToken(shown.token)
      ? credentials.oauth.find(shown.token, now)
      : credentials.tokens.find(shown.token, now, { beforeAsking });
  if (shown?.kind === 'ticket') {
    const issuedTo = credentials.tickets.redeem(shown.ticket, shown.instanceId, now);
    return issuedTo && credentials.current(issuedTo, now);
  }
  if (shown?.kind === 'cookie') return credentials.sessions.find(shown.value, now, { beforeAsking });
  return undefined;
}
