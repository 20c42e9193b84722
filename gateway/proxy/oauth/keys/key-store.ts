import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { StartupError } from '../../../../shared/node/processes/startup-error.ts';
import { type Database, toSeconds } from '../../store/database.ts';
import type { Vault } from '../../store/vault.ts';
import {
  isRotationDue,
  type KeyDates,
  PUBLISHED_AHEAD_S,
  PURPOSES,
  type Purpose,
  type Scheduled,
  schedule,
} from './schedule.ts';

export const SIGNING_ALGORITHM = 'ES256';
const ID_BYTES = 12;
const COOKIE_KEY_BYTES = 32;

/** A key as it is stored. */
export interface StoredKey extends KeyDates {
  id: string;
  /** A private JWK, or the text of a cookie key. */
  secret: string;
}

/** The keys in the database, which all replicas share. */
export interface KeyStore {
  /** Reads the keys of a purpose, the one that signs first. Makes one if there is none. Throws StartupError if another secret encrypted them. */
  read(purpose: Purpose): Promise<Scheduled<StoredKey>[]>;
  /** Adds a key that signs after a day, unless one is waiting already. */
  rotate(purpose: Purpose): Promise<void>;
  /** Removes all keys of all purposes at once and begins with new ones: somebody else may have read them. */
  replaceAll(): Promise<void>;
  /** Rotates what is due, and deletes keys that no longer count. */
  keepUp(): Promise<void>;
}

export interface KeyStoreOptions {
  database: Database;
  vault: Vault;
  /** Milliseconds. */
  now: () => number;
}

export function createKeyStore({ database, vault, now }: KeyStoreOptions): KeyStore {
  const seconds = () => toSeconds(now());

  async function stored(purpose: Purpose): Promise<Scheduled<StoredKey>[]> {
    const rows = await database.selectFrom('rotating_key').selectAll().where('purpose', '=', purpose).execute();
    const keys = rows.map((row) => ({
      id: row.id,
      secret: row.secret,
      generation: row.generation,
      publishedAt: row.published_at,
      signsFrom: row.signs_from,
    }));
    return schedule(purpose, keys, seconds());
  }

  /** Does nothing if another replica has added this generation. */
  async function add(on: Database, purpose: Purpose, { generation, publishedAt, signsFrom }: KeyDates): Promise<void> {
    const id = randomBytes(ID_BYTES).toString('base64url');
    const secret = vault.seal(await newSecret(purpose, id), id);
    await on
      .insertInto('rotating_key')
      .values({ purpose, generation, id, secret, published_at: publishedAt, signs_from: signsFrom })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  function open({ id, secret }: StoredKey): string {
    try {
      return vault.open(secret, id);
    } catch (cause) {
      throw new StartupError(
        'The keys in the database were encrypted with another secret.\n' +
          'Put back the key file proxy.key, or the value of GAMEKEEPER_PROXY_SECRET, that this database was used with.\n' +
          'If it is lost, see "If the secret leaks or is lost" in docs/proxy.md.',
        { cause },
      );
    }
  }

  const isLive = ({ state }: { state: string }) => state !== 'retired';
  const newestOf = (keys: readonly Pick<KeyDates, 'generation'>[]) =>
    Math.max(0, ...keys.map(({ generation }) => generation));

  async function rotate(purpose: Purpose): Promise<void> {
    const keys = await stored(purpose);
    if (keys.some(({ state }) => state === 'next')) return;
    const publishedAt = seconds();
    const dates = { publishedAt, signsFrom: publishedAt + PUBLISHED_AHEAD_S };
    await add(database, purpose, { generation: newestOf(keys) + 1, ...dates });
  }

  return {
    async read(purpose) {
      let keys = await stored(purpose);
      if (keys.length === 0) {
        await add(database, purpose, { generation: 1, publishedAt: seconds(), signsFrom: seconds() });
        keys = await stored(purpose);
      }
      return keys.filter(isLive).map((key) => ({ ...key, secret: open(key) }));
    },
    rotate,
    async replaceAll() {
      await database.transaction().execute(async (transaction) => {
        for (const purpose of PURPOSES) {
          const removed = await transaction
            .deleteFrom('rotating_key')
            .where('purpose', '=', purpose)
            .returning('generation')
            .execute();
          const at = seconds();
          await add(transaction, purpose, { generation: newestOf(removed) + 1, publishedAt: at, signsFrom: at });
        }
      });
    },
    async keepUp() {
      for (const purpose of PURPOSES) {
        const keys = await stored(purpose);
        if (isRotationDue(keys, seconds())) await rotate(purpose);
        for (const { generation } of keys.filter((key) => !isLive(key)))
          await database
            .deleteFrom('rotating_key')
            .where('purpose', '=', purpose)
            .where('generation', '=', generation)
            .execute();
      }
    },
  };
}

async function newSecret(purpose: Purpose, kid: string): Promise<string> {
  if (purpose === 'cookies') return randomBytes(COOKIE_KEY_BYTES).toString('base64url');
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  return JSON.stringify({ ...(await exportJWK(privateKey)), kid, alg: SIGNING_ALGORITHM, use: 'sig' } satisfies JWK);
}
