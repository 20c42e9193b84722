import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { type Database, toSeconds } from '../store/database.ts';
import type { AccountRow } from '../store/schema.ts';
import { endOtherSessions, raiseVersion, type VerifiedUser, whileVerified } from './verified-user.ts';

export interface Account {
  id: string;
  name: string;
  passwordHash: string;
  isAdmin: boolean;
  /** Raised by every change of the password or the second factor. */
  version: number;
}

export interface NewAccount {
  name: string;
  passwordHash: string;
  isAdmin: boolean;
}

/** The people who use this proxy. Case does not matter in their names. */
export interface Accounts {
  /** Throws `user_exists` if the name is taken. */
  add(account: NewAccount): Promise<Account>;
  find(id: string): Promise<Account | undefined>;
  findByName(name: string): Promise<Account | undefined>;
  /** Ends all other sessions as well. Resolves to false, and changes nothing, if the user is no longer as verified. */
  setPassword(by: Required<VerifiedUser>, passwordHash: string): Promise<boolean>;
}

export function createAccounts(database: Database, now: () => number): Accounts {
  const select = () => database.selectFrom('account').selectAll();
  return {
    async add({ name, passwordHash, isAdmin }) {
      const row = {
        id: randomUUID(),
        name,
        name_key: keyOf(name),
        password_hash: passwordHash,
        is_admin: isAdmin ? 1 : 0,
        created_at: toSeconds(now()),
      };
      const [added] = await database
        .insertInto('account')
        .values(row)
        .onConflict((conflict) => conflict.column('name_key').doNothing())
        .returningAll()
        .execute();
      if (!added)
        throw new GamekeeperError('user_exists', `There is already an account with the name "${name}".`, {
          resolution: 'Choose another name.',
        });
      return accountOf(added);
    },
    find: async (id) => accountOf(await select().where('id', '=', id).executeTakeFirst()),
    findByName: async (name) => accountOf(await select().where('name_key', '=', keyOf(name)).executeTakeFirst()),
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
  };
}

function accountOf(row: Selectable<AccountRow>): Account;
function accountOf(row: Selectable<AccountRow> | undefined): Account | undefined;
function accountOf(row: Selectable<AccountRow> | undefined): Account | undefined {
  return (
    row && {
      id: row.id,
      name: row.name,
      passwordHash: row.password_hash,
      isAdmin: row.is_admin === 1,
      version: row.version,
    }
  );
}

/** Names are ASCII (shared/schema/users.ts). */
function keyOf(name: string): string {
  return name.toLowerCase();
}
