import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

export const SESSION_COOKIE = 'RemoteCookies';
const SECRET_BYTES = 32;

export function newCookieValue(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Returns what is stored instead of the value, so that a stolen database does not allow signing in. */
export function hashCookieValue(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** Without `Max-Age` the cookie ends with the browser; the session itself ends on the server. */
export function cookieAttributes(secure: boolean) {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure } as const;
}

export function cookieOf({ headers, server }: FastifyRequest): string | undefined {
  return headers.cookie === undefined ? undefined : server.parseCookie(headers.cookie)[SESSION_COOKIE] || undefined;
}
