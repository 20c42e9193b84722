import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto';
import { exportJWK, type JWK, SignJWT } from 'jose';
import { LINK_TOKEN } from '../../shared/node/link/protocol.ts';

const LIFETIME_S = LINK_TOKEN.seconds;

/** Returns the public half of an Ed25519 key (PEM) as a JWK with `kty`, `crv` and `x` (RFC 8037). */
export function publicKeyOf(privateKey: string): Promise<JWK> {
  return exportJWK(createPublicKey(privateKey));
}

export interface DaemonTokenOptions {
  daemonId: string;
  /** Who checks it: the issuer, unless it is for one tunnel only. */
  audience: string;
  typ?: string;
  /** Milliseconds. */
  now: number;
}

/** Signs a JWT that proves to a proxy which daemon this is, for one use within 60 s. */
export function signDaemonToken(
  privateKey: string,
  { daemonId, audience, typ = LINK_TOKEN.typ, now }: DaemonTokenOptions,
): Promise<string> {
  const seconds = Math.floor(now / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: LINK_TOKEN.alg, typ })
    .setIssuer(daemonId)
    .setSubject(daemonId)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + LIFETIME_S)
    .sign(createPrivateKey(privateKey));
}
