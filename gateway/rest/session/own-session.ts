import type { FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Identity } from '../../auth/identity.ts';
import { SESSION_COOKIE } from '../../auth/session-cookie.ts';

/** Value of the session cookie that a request carries. */
export function cookieOf({ headers, server }: FastifyRequest): string | undefined {
  return headers.cookie === undefined ? undefined : server.parseCookie(headers.cookie)[SESSION_COOKIE] || undefined;
}

/** Who is signed in. The local administrator passes the access check but has neither session nor password: `insufficient_scope`. */
export function requireSession({ identity }: FastifyRequest): Identity {
  if (identity?.kind === 'session') return identity;
  throw new GamekeeperError('insufficient_scope', 'This is for users that are signed in with a cookie.', {
    resolution: 'Sign in at POST /api/login.',
  });
}
