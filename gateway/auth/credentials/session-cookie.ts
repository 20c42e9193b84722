import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

export const SESSION_COOKIE = 'RemoteCookies';
const SECRET_BYTES = 32;

/** Returns a new value: a secret and its signature, by which an invented value is recognised without asking the daemon. */
export function newCookieValue(key: Uint8Array): string {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return `${secret}.${signatureOf(secret, key)}`;
}

/** Returns whether the value was made with this key. Its session may have ended. Values of earlier versions have no signature. */
export function isSigned(value: string, key: Uint8Array): boolean {
  const [secret = '', signature = ''] = value.split('.', 2);
  const [expected, given] = [Buffer.from(signatureOf(secret, key)), Buffer.from(signature)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Tokens are signed with the same key. No token begins like this. */
function signatureOf(secret: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(`session cookie ${secret}`).digest('base64url');
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
