import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto';
import { exportJWK, type JWK, SignJWT } from 'jose';

const LIFETIME_S = 60;

/** Returns the public half of an Ed25519 key (PEM) as a JWK with `kty`, `crv` and `x` (RFC 8037). */
export function publicKeyOf(privateKey: string): Promise<JWK> {
  return exportJWK(createPublicKey(privateKey));
}

/** Signs a JWT that proves to a proxy which daemon this is, for one use within 60 s. `now` in milliseconds. */
export function signDaemonToken(
  privateKey: string,
  { daemonId, issuer, now }: { daemonId: string; issuer: string; now: number },
): Promise<string> {
  const seconds = Math.floor(now / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'EdDSA', typ: 'gamekeeper-link+jwt' })
    .setIssuer(daemonId)
    .setSubject(daemonId)
    .setAudience(issuer)
    .setJti(randomUUID())
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + LIFETIME_S)
    .sign(createPrivateKey(privateKey));
}
