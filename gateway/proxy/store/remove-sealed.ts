import type { Database } from './database.ts';
import type { Tables } from './schema.ts';

/** What is encrypted, or found by a name that the secret makes (vault.ts), and what is of no use without it. */
const SEALED: readonly (keyof Tables)[] = [
  'session',
  'pending',
  'invitation',
  'oauth_item',
  'oauth_client',
  'rotating_key',
  'totp',
  'recovery_code',
];

/** Removes everything that another secret could not read. */
export async function removeSealed(database: Database): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const table of SEALED) await transaction.deleteFrom(table).execute();
  });
}
