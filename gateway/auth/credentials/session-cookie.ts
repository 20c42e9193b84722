import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** Name that the customer's document gives to the cookie (reference-api.md, section 5). */
export const SESSION_COOKIE = 'RemoteCookies';
const SECRET_BYTES = 32;

/** A new cookie value: 256 bit, opaque. */
export function newCookieValue(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** What is stored and looked up instead of the value: whoever reads the database cannot sign in with it. */
export function hashCookieValue(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** Attributes of api.md, Credentials. Without an age it goes when the browser does; the session's own end is the server's. */
export function cookieAttributes(secure: boolean) {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure } as const;
}

/** Returns the value of the session cookie that a request carries. */
export function cookieOf({ headers, server }: FastifyRequest): string | undefined {
  return headers.cookie === undefined ? undefined : server.parseCookie(headers.cookie)[SESSION_COOKIE] || undefined;
}
