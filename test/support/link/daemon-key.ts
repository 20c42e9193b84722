import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { exportJWK, importJWK, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';

/** The key pair of a daemon that is registered at a proxy. */
export interface DaemonKey {
  daemonId: string;
  publicKey: JWK;
  privateKey: JWK;
}

export async function createDaemonKey(daemonId: string = randomUUID()): Promise<DaemonKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { daemonId, publicKey: await exportJWK(publicKey), privateKey: await exportJWK(privateKey) };
}

export interface LinkTokenParts {
  /** Replace claims and header parameters; `undefined` removes one. */
  claims?: Record<string, unknown>;
  header?: Partial<JWTHeaderParameters>;
}

/** Signs a token that opens a link. */
export async function linkToken(
  { daemonId, privateKey }: Pick<DaemonKey, 'daemonId' | 'privateKey'>,
  issuer: string,
  { claims, header }: LinkTokenParts = {},
): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  const payload = { iss: daemonId, sub: daemonId, aud: issuer, iat, exp: iat + 60, jti: randomUUID(), ...claims };
  return new SignJWT(JSON.parse(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'EdDSA', typ: 'gamekeeper-link+jwt', ...header })
    .sign(await importJWK(privateKey, 'EdDSA'));
}
