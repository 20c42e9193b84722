import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { type Database, toSeconds } from '../store/database.ts';
import type { AccountRow } from '../store/schema.ts';

export interface Account {
  id: string;
  name: string;
  passwordHash: string;
  isAdmin: boolean;
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
  setPassword(id: string, passwordHash: string): Promise<void>;
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
    async setPassword(id, passwordHash) {
      await database.updateTable('account').set({ password_hash: passwordHash }).where('id', '=', id).execute();
    },
  };
}

function accountOf(row: Selectable<AccountRow>): Account;
function accountOf(row: Selectable<AccountRow> | undefined): Account | undefined;
function accountOf(row: Selectable<AccountRow> | undefined): Account | undefined {
  return row && { id: row.id, name: row.name, passwordHash: row.password_hash, isAdmin: row.is_admin === 1 };
}

/** Names are ASCII (shared/schema/users.ts). */
function keyOf(name: string): string {
  return name.toLowerCase();
}
