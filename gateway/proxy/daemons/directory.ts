import type { JWK } from 'jose';
import type { Selectable } from 'kysely';
import type { Scope } from '../../../shared/domain/access/scope.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { type Database, toSeconds } from '../store/database.ts';
import type { DaemonRow } from '../store/schema.ts';
import { noteAccessChange } from './access-change.ts';

/** More than anybody needs, so that an account cannot fill the database. */
const MOST_OF_ACCOUNT = 2_000;
/** Fewer than a statement may have parameters. */
const LOOKED_UP_AT_ONCE = 500;

export interface RegisteredDaemon {
  daemonId: string;
  accountId: string;
  name: string;
  /** Ed25519. */
  publicKey: JWK;
  lastSeen?: Date;
}

export interface LinkedDaemon extends RegisteredDaemon {
  /** The most that the daemon lets this proxy do. It enforces this itself. */
  scopes: Scope[];
  linkedAt: Date;
}

export interface NewDaemon {
  daemonId: string;
  accountId: string;
  name: string;
  publicKey: JWK;
  scopes: readonly Scope[];
}

/** Daemons registered at this proxy. Those of disabled accounts are not found. */
export interface DaemonDirectory {
  find(daemonId: string): Promise<RegisteredDaemon | undefined>;
  /** Returns whether its account is disabled. */
  isDisabled(daemonId: string): Promise<boolean>;
  /** Notes when the daemon was last connected. Resolves to false if it is not registered any more. */
  seen(daemonId: string, at: Date): Promise<boolean>;
}

export interface Daemons extends DaemonDirectory {
  find(daemonId: string): Promise<LinkedDaemon | undefined>;
  /** Sorted by name. */
  ofAccount(accountId: string): Promise<LinkedDaemon[]>;
  /**
   * Registers a daemon, or updates it if the account has it already. Resolves to whether it is new or has another key now. Throws `daemon_taken`
   * if it belongs to another account, and `invalid_state` if the account has too many.
   */
  register(daemon: NewDaemon): Promise<'added' | 'key changed' | 'updated'>;
  /** Stores what a daemon tells about itself. Does nothing if it is not registered any more. */
  describe(daemonId: string, about: Pick<NewDaemon, 'name' | 'scopes'>): Promise<void>;
  /** Resolves to those of the daemons that are not registered any more. */
  missing(daemonIds: readonly string[]): Promise<string[]>;
  /** Resolves to false if there was none, or it belongs to another account. */
  remove(daemonId: string, accountId: string): Promise<boolean>;
}

export function createDaemons(database: Database, now: () => number): Daemons {
  const find = (id: string) => database.selectFrom('daemon').selectAll().where('id', '=', id).executeTakeFirst();

  /** Daemons of accounts that are not disabled. */
  const enabled = () =>
    database
      .selectFrom('daemon')
      .innerJoin('account', 'account.id', 'daemon.account_id')
      .where('account.disabled', '=', 0);

  async function missing(daemonIds: readonly string[]): Promise<string[]> {
    const found = new Set<string>();
    for (let from = 0; from < daemonIds.length; from += LOOKED_UP_AT_ONCE) {
      const part = daemonIds.slice(from, from + LOOKED_UP_AT_ONCE);
      const rows = await enabled().select('daemon.id').where('daemon.id', 'in', part).execute();
      for (const { id } of rows) found.add(id);
    }
    return daemonIds.filter((id) => !found.has(id));
  }

  async function requireSpace(accountId: string): Promise<void> {
    const { count } = await database
      .selectFrom('daemon')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MOST_OF_ACCOUNT)
      throw new GamekeeperError('invalid_state', `This account has ${MOST_OF_ACCOUNT} computers, the maximum.`, {
        resolution: 'Remove one that you no longer use.',
      });
  }

  return {
    async find(daemonId) {
      const row = await enabled().selectAll('daemon').where('daemon.id', '=', daemonId).executeTakeFirst();
      return row && daemonOf(row);
    },
    async isDisabled(daemonId) {
      return (await find(daemonId)) !== undefined && (await missing([daemonId])).length > 0;
    },
    async seen(daemonId, at) {
      await database
        .updateTable('daemon')
        .set({ seen_at: toSeconds(at.getTime()) })
        .where('id', '=', daemonId)
        .execute();
      return (await missing([daemonId])).length === 0;
    },
    missing,
    async ofAccount(accountId) {
      const rows = await database
        .selectFrom('daemon')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('name')
        .execute();
      return rows.map(daemonOf);
    },
    async register({ daemonId, accountId, name, publicKey, scopes }) {
      const before = await find(daemonId);
      if (!before) await requireSpace(accountId);
      const values = { name, public_key: JSON.stringify(publicKey), scopes: scopes.join(' ') };
      // The condition decides, not what was read before: two accounts may register the same id at once.
      const [row] = await database
        .insertInto('daemon')
        .values({ id: daemonId, account_id: accountId, ...values, created_at: toSeconds(now()), seen_at: null })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(values).where('daemon.account_id', '=', accountId))
        .returning('id')
        .execute();
      if (!row) throw new GamekeeperError('daemon_taken', 'This daemon is linked to another account of this proxy.');
      if (!before) return 'added';
      return before.public_key === values.public_key ? 'updated' : 'key changed';
    },
    async describe(daemonId, { name, scopes }) {
      const values = { name, scopes: scopes.join(' ') };
      // Mostly nothing has changed, and then nothing is written.
      await database
        .updateTable('daemon')
        .set(values)
        .where('id', '=', daemonId)
        .where((row) => row.or([row('name', '!=', values.name), row('scopes', '!=', values.scopes)]))
        .execute();
    },
    remove: (daemonId, accountId) =>
      database.transaction().execute(async (transaction) => {
        const removed = await transaction
          .deleteFrom('daemon')
          .where('id', '=', daemonId)
          .where('account_id', '=', accountId)
          .returning('id')
          .execute();
        if (removed.length > 0) await noteAccessChange(transaction);
        return removed.length > 0;
      }),
  };
}

function daemonOf(row: Selectable<DaemonRow>): LinkedDaemon {
  return {
    daemonId: row.id,
    accountId: row.account_id,
    name: row.name,
    publicKey: JSON.parse(row.public_key) as JWK,
    scopes: row.scopes.split(' ').filter(Boolean) as Scope[],
    linkedAt: new Date(row.created_at * 1000),
    ...(row.seen_at !== null && { lastSeen: new Date(row.seen_at * 1000) }),
  };
}
