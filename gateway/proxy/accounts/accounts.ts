import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { type Database, isUniqueViolation, toSeconds } from '../store/database.ts';
import type { AccountRow } from '../store/schema.ts';
import { endOtherSessions, raiseVersion, type VerifiedUser, whileVerified } from './sessions/verified-user.ts';

export interface Account {
  id: string;
  name: string;
  /** Absent if the account has no password. */
  passwordHash?: string;
  isAdmin: boolean;
  /** Raised by every change of a credential. */
  version: number;
}

export interface NewAccount {
  name: string;
  passwordHash?: string;
  isAdmin: boolean;
}

/** The people who use this proxy. Case does not matter in their names. Accounts that are disabled are not found. */
export interface Accounts {
  /** Throws `user_exists` if the name is taken. */
  add(account: NewAccount): Promise<Account>;
  find(id: string): Promise<Account | undefined>;
  findByName(name: string): Promise<Account | undefined>;
  /** Also for accounts that are disabled. */
  isTaken(name: string): Promise<boolean>;
  /** Ends all other sessions as well. Resolves to false, and changes nothing, if the user is no longer as verified. */
  setPassword(by: Required<VerifiedUser>, passwordHash: string): Promise<boolean>;
  /** The same for the name. Ends no sessions. Throws `user_exists` if the name is taken. */
  rename(by: Required<VerifiedUser>, name: string): Promise<boolean>;
}

export function createAccounts(database: Database, now: () => number): Accounts {
  const select = () => database.selectFrom('account').selectAll().where('disabled', '=', 0);
  return {
    add: (account) => addAccount(database, account, now()),
    find: async (id) => accountOf(await select().where('id', '=', id).executeTakeFirst()),
    findByName: async (name) => accountOf(await select().where('name_key', '=', keyOf(name)).executeTakeFirst()),
    async isTaken(name) {
      const found = database.selectFrom('account').select('id').where('name_key', '=', keyOf(name));
      return (await found.executeTakeFirst()) !== undefined;
    },
    async setPassword(by, passwordHash) {
      const { id } = by.account;
      const done = await whileVerified(database, by, async (transaction) => {
        await transaction.updateTable('account').set({ password_hash: passwordHash }).where('id', '=', id).execute();
        await raiseVersion(transaction, id);
        await endOtherSessions(transaction, by);
        return true;
      });
      return done ?? false;
    },
    async rename(by, name) {
      const done = await whileVerified(database, by, async (transaction) => {
        const taken = await transaction
          .selectFrom('account')
          .select('id')
          .where('name_key', '=', keyOf(name))
          .where('id', '!=', by.account.id)
          .executeTakeFirst();
        if (taken) throw nameTaken(name);
        await transaction
          .updateTable('account')
          .set({ name, name_key: keyOf(name) })
          .where('id', '=', by.account.id)
          .execute();
        return true;
      }).catch((error: unknown) => {
        // Two accounts took the name at once.
        if (isUniqueViolation(error)) throw nameTaken(name);
        throw error;
      });
      return done ?? false;
    },
  };
}

/** Adds an account, also in a transaction. `at`: milliseconds. Throws `user_exists` if the name is taken. */
export async function addAccount(
  database: Database,
  { name, passwordHash = '', isAdmin, id = randomUUID() }: NewAccount & { id?: string },
  at: number,
): Promise<Account> {
  const row = {
    id,
    name,
    name_key: keyOf(name),
    password_hash: passwordHash,
    is_admin: isAdmin ? 1 : 0,
    created_at: toSeconds(at),
  };
  const [added] = await database
    .insertInto('account')
    .values(row)
    .onConflict((conflict) => conflict.column('name_key').doNothing())
    .returningAll()
    .execute();
  if (!added) throw nameTaken(name);
  return accountOf(added);
}

function nameTaken(name: string): GamekeeperError {
  return new GamekeeperError('user_exists', `There is already an account with the name "${name}".`, {
    resolution: 'Choose another name.',
  });
}

export function accountOf(row: Selectable<AccountRow>): Account;
export function accountOf(row: Selectable<AccountRow> | undefined): Account | undefined;
export function accountOf(row: Selectable<AccountRow> | undefined): Account | undefined {
  return (
    row && {
      id: row.id,
      name: row.name,
      ...(row.password_hash !== '' && { passwordHash: row.password_hash }),
      isAdmin: row.is_admin === 1,
      version: row.version,
    }
  );
}

/** Names are ASCII (shared/schema/users.ts). */
export function keyOf(name: string): string {
  return name.toLowerCase();
}
