import type { FastifyRequest } from 'fastify';

/** A response that gets a cookie. */
export interface CookieTarget {
  header(name: string, value: string): unknown;
}

/** A cookie of our own, such as the one of sessions. oidc-provider has others (oauth/provider.ts). */
export interface SessionCookie {
  read(headers: { cookie?: string | undefined }): string | undefined;
  /** Without `seconds` it ends with the browser. */
  set(reply: CookieTarget, value: string, lifetime?: { seconds: number }): void;
  clear(reply: CookieTarget): void;
}

/**
 * Over https the name begins with `__Host-`: a browser then accepts it only from this very host (RFC 6265bis, section 4.1.3.2). `SameSite=Lax`,
 * because programs send the browser here from their own pages.
 */
export function createSessionCookie(issuer: string, purpose = 'gamekeeper'): SessionCookie {
  const isSecure = issuer.startsWith('https:');
  const name = isSecure ? `__Host-${purpose}` : `${purpose}_proxy`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    read: ({ cookie }) => cookieNamed(cookie, name),
    set(reply, value, lifetime) {
      const maxAge = lifetime ? `; Max-Age=${lifetime.seconds}` : '';
      void reply.header('set-cookie', `${name}=${value}; ${attributes}${maxAge}`);
    },
    clear: (reply) => void reply.header('set-cookie', `${name}=; ${attributes}; Max-Age=0`),
  };
}

/** The client's address, for limits and the list of sessions. */
export function signedInFrom(request: FastifyRequest): { address: string; userAgent: string } {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}

function cookieNamed(header: string | undefined, name: string): string | undefined {
  const found = header?.split(';').find((pair) => pair.trimStart().startsWith(`${name}=`));
  return found?.slice(found.indexOf('=') + 1).trim() || undefined;
}
