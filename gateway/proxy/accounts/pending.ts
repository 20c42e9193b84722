import { randomBytes } from 'node:crypto';
import { type Database, toSeconds } from '../store/database.ts';
import type { Vault } from '../store/vault.ts';

const VALUE_BYTES = 32;
/** How long a person may take at a passkey's prompt or at a provider. */
const LIFETIME_S = 10 * 60;

/** What a browser has begun and will end soon, such as the challenge of a passkey. Each works once, on every process of the proxy. */
export interface Pending<T> {
  /** Resolves to a random value, 32 bytes in base64url. The database has only a keyed hash of it. */
  begin(content: T): Promise<string>;
  /** Resolves to the content once; then, or if it has expired, to `undefined`. */
  take(value: string): Promise<T | undefined>;
}

export interface PendingOptions {
  database: Database;
  vault: Vault;
  /** Milliseconds. */
  now: () => number;
}

/** `kind`: a value of one kind is worth nothing as another. */
export function createPending<T>(kind: string, { database, vault, now }: PendingOptions): Pending<T> {
  const nameOf = (value: string) => vault.nameOf(`${kind} ${value}`);
  return {
    async begin(content) {
      const value = randomBytes(VALUE_BYTES).toString('base64url');
      const name = nameOf(value);
      await database
        .insertInto('pending')
        .values({
          name,
          content: vault.seal(JSON.stringify(content), `pending ${name}`),
          expires_at: toSeconds(now()) + LIFETIME_S,
        })
        .execute();
      return value;
    },
    async take(value) {
      const name = nameOf(value);
      const [taken] = await database.deleteFrom('pending').where('name', '=', name).returningAll().execute();
      if (!taken || taken.expires_at <= toSeconds(now())) return undefined;
      return JSON.parse(vault.open(taken.content, `pending ${name}`)) as T;
    },
  };
}

export async function removeExpiredPending(database: Database, now: number): Promise<void> {
  await database.deleteFrom('pending').where('expires_at', '<=', toSeconds(now)).execute();
}
