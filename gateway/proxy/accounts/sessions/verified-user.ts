import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/schema.ts';

/** An account as it was when its password, its code or its session was checked. */
export interface VerifiedUser {
  account: { id: string; version: number };
  /** The session that asks. A sign-in has none yet. */
  session?: { id: string };
}

/**
 * Runs `change` in a transaction. Resolves to `undefined`, and changes nothing, if the password or the second factor was changed since the user
 * was verified, or if the session has ended.
 */
export function whileVerified<T>(
  database: Database,
  { account, session }: VerifiedUser,
  change: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T | undefined> {
  return database.transaction().execute(async (transaction) => {
    // Locks the row until the transaction ends: a change of the same account waits here, and then finds another version.
    const unchanged = await transaction
      .updateTable('account')
      .set(({ ref }) => ({ version: ref('version') }))
      .where('id', '=', account.id)
      .where('version', '=', account.version)
      .where('disabled', '=', 0)
      .returning('id')
      .execute();
    if (unchanged.length === 0) return undefined;
    if (session && !(await hasSession(transaction, account.id, session.id))) return undefined;
    return change(transaction);
  });
}

async function hasSession(transaction: Transaction<Tables>, accountId: string, id: string): Promise<boolean> {
  const found = await transaction
    .selectFrom('session')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Makes everything that was verified before stale. Call it in the transaction that changes the password or the second factor. */
export async function raiseVersion(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await transaction
    .updateTable('account')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', accountId)
    .execute();
}

/** Ends all sessions of the account but the one that asks. */
export async function endOtherSessions(
  transaction: Transaction<Tables>,
  { account, session }: Required<VerifiedUser>,
): Promise<void> {
  await transaction.deleteFrom('session').where('account_id', '=', account.id).where('id', '!=', session.id).execute();
}
