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
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const match = /^Bearer +([^ ]+)$/i.exec(authorization);
    return { kind: 'bearer', token: match?.[1] ?? '' };
  }
  const { ticket } = request.query as { ticket?: unknown };
  const { id } = request.params as { id?: unknown };
  if (request.ws && typeof ticket === 'string' && typeof id === 'string')
    return { kind: 'ticket', ticket, instanceId: id };
  const value = cookieOf(request);
  return value === undefined ? undefined : { kind: 'cookie', value };
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
