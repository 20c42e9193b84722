import { randomUUID } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { SIGNING_ALGORITHM } from '../keys/key-store.ts';
import type { LiveKeys } from '../keys/live-keys.ts';
import { resourceOf } from '../resources.ts';

export interface OwnToken {
  accountId: string;
  daemonId: string;
  /** What the daemon shows as the client. */
  client: string;
  scope: string;
  /** Without one, the token is no good at `/d/`, where programs use theirs. */
  grantId?: string;
  /** Seconds since 1970. */
  issuedAt: number;
  expiresAt: number;
}

/** Signs an access token (RFC 9068) that the proxy itself uses at a daemon, for somebody who has proved themselves in another way. */
export async function signAccessToken(
  { keys, issuer }: { keys: Pick<LiveKeys, 'ring'>; issuer: string },
  { accountId, daemonId, client, scope, grantId, issuedAt, expiresAt }: OwnToken,
): Promise<string> {
  const [key] = keys.ring.signing;
  return new SignJWT({ client_id: client, scope, ...(grantId !== undefined && { grant_id: grantId }) })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: key?.kid ?? '', typ: 'at+jwt' })
    .setIssuer(issuer)
    .setSubject(accountId)
    .setAudience(resourceOf(daemonId))
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(await importJWK(key!, SIGNING_ALGORITHM));
}
