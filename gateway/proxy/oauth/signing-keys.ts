import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { StartupError } from '../startup-error.ts';
import { type Database, toSeconds } from '../store/database.ts';
import type { Vault } from '../store/vault.ts';

export const SIGNING_ALGORITHM = 'ES256';
const KID_LENGTH = 16;

export interface SigningKeysOptions {
  database: Database;
  vault: Vault;
  /** Milliseconds. */
  now: () => number;
}

/**
 * Reads the private keys that sign tokens, the one to sign with first. Creates one if there is none. Throws StartupError if they were encrypted
 * with another secret.
 */
export async function signingKeys({ database, vault, now }: SigningKeysOptions): Promise<JWK[]> {
  const select = () => database.selectFrom('signing_key').selectAll().orderBy('created_at').orderBy('kid').execute();
  let rows = await select();
  if (rows.length === 0) {
    const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
    const jwk = await exportJWK(privateKey);
    const kid = vault.nameOf(JSON.stringify(jwk)).slice(0, KID_LENGTH);
    const sealed = vault.seal(JSON.stringify({ ...jwk, kid, alg: SIGNING_ALGORITHM, use: 'sig' }), kid);
    await database
      .insertInto('signing_key')
      .values({ kid, jwk: sealed, created_at: toSeconds(now()) })
      .execute();
    // Another proxy that started at the same time may have created one as well.
    rows = await select();
  }
  try {
    return rows.map(({ kid, jwk }) => JSON.parse(vault.open(jwk, kid)) as JWK);
  } catch (cause) {
    throw new StartupError(
      'The keys in the database were encrypted with another secret.\n' +
        'Put back the key file proxy.key, or the value of GAMEKEEPER_PROXY_SECRET, that this database was used with.',
      { cause },
    );
  }
}

/** Returns the key without its private part. */
export function publicPart({ d: _private, ...rest }: JWK): JWK {
  return rest;
}
