import { sql } from 'kysely';
import { hasErrorCode } from '../../../../shared/errors/error-code.ts';
import { noteAccessChange } from '../../daemons/access-change.ts';
import { type Database, toSeconds } from '../../store/database.ts';
import { keyOf } from '../accounts.ts';
import { type VerifiedUser, whileVerified } from '../sessions/verified-user.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DEADLOCK_DETECTED = '40P01';
/** On a page; the search finds the others. */
const MOST_SHOWN = 100;

export interface AccountSummary {
  id: string;
  name: string;
  isAdmin: boolean;
  isDisabled: boolean;
  createdAt: Date;
  /** When it was last used in a browser, as far as that is known. */
  seenAt?: Date;
  daemons: number;
}

/**
 * What operators do to accounts of others. `by` is the administrator as verified; absent on the proxy's machine. Everything resolves to false,
 * and changes nothing, if there is no such account or the administrator is no longer as verified.
 */
export interface Administration {
  /** Sorted by name. */
  list(): Promise<AccountSummary[]>;
  /** Resolves to the first accounts with this text in their name, and how many there are. */
  search(text: string): Promise<{ accounts: AccountSummary[]; total: number }>;
  describe(id: string): Promise<AccountSummary | undefined>;
  /** Finds disabled accounts too. */
  findByName(name: string): Promise<{ id: string; name: string } | undefined>;
  /** Deletes the account with everything that belongs to it, and closes the links of its daemons. */
  remove(id: string, by?: Required<VerifiedUser>): Promise<boolean>;
  /** Ends its sessions, refuses its programs, and closes the links of its daemons. */
  disable(id: string, by?: Required<VerifiedUser>): Promise<boolean>;
  enable(id: string, by?: Required<VerifiedUser>): Promise<boolean>;
  /** Ends all its sessions. */
  resetPassword(id: string, reset: PasswordReset, by?: Required<VerifiedUser>): Promise<boolean>;
}

export interface PasswordReset {
  passwordHash: string;
  /** Also removes the second factor, for people who have lost it. */
  removeSecondFactor?: boolean;
}

export function createAdministration(database: Database, now: () => number): Administration {
  /** Runs a change that resolves to whether it changed something. */
  async function change(by: VerifiedUser | undefined, act: (on: Database) => Promise<boolean>): Promise<boolean> {
    if (!by) return database.transaction().execute(act);
    try {
      return (await whileVerified(database, by, act)) ?? false;
    } catch (error) {
      // Two administrators change each other at the same moment: one of them comes first.
      if (hasErrorCode(error, DEADLOCK_DETECTED)) return false;
      throw error;
    }
  }

  async function set(on: Database, id: string, values: { disabled: 0 | 1 } | { password_hash: string }) {
    const changed = await on
      .updateTable('account')
      .set(({ eb }) => ({ ...values, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .returning('id')
      .execute();
    return changed.length > 0;
  }
  const endSessions = (on: Database, id: string) => on.deleteFrom('session').where('account_id', '=', id).execute();
  const select = () => database.selectFrom('account').select(['id', 'name']);

  return {
    async list() {
      return (await summaries(database, now()).execute()).map(summaryOf);
    },
    async search(text) {
      const pattern = `%${keyOf(text).replace(/[!_%]/g, '!$&')}%`;
      const matches = sql<boolean>`name_key LIKE ${pattern} ESCAPE '!'`;
      const rows = await summaries(database, now()).where(matches).limit(MOST_SHOWN).execute();
      const { count } = await database
        .selectFrom('account')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where(matches)
        .executeTakeFirstOrThrow();
      return { accounts: rows.map(summaryOf), total: Number(count) };
    },
    async describe(id) {
      const row = await summaries(database, now()).where('id', '=', id).executeTakeFirst();
      return row && summaryOf(row);
    },
    findByName: (name) => select().where('name_key', '=', keyOf(name)).executeTakeFirst(),
    remove: (id, by) => change(by, (on) => removeAccount(on, id)),
    disable: (id, by) =>
      change(by, async (on) => {
        if (!(await set(on, id, { disabled: 1 }))) return false;
        await endSessions(on, id);
        await noteAccessChange(on);
        return true;
      }),
    enable: (id, by) => change(by, (on) => set(on, id, { disabled: 0 })),
    resetPassword: (id, { passwordHash, removeSecondFactor = false }, by) =>
      change(by, async (on) => {
        if (!(await set(on, id, { password_hash: passwordHash }))) return false;
        await endSessions(on, id);
        if (removeSecondFactor) {
          await on.deleteFrom('totp').where('account_id', '=', id).execute();
          await on.deleteFrom('recovery_code').where('account_id', '=', id).execute();
        }
        return true;
      }),
  };
}

/** Deletes an account with everything that belongs to it. Call it in a transaction. */
async function removeAccount(on: Database, id: string): Promise<boolean> {
  const removed = await on.deleteFrom('account').where('id', '=', id).returning('id').execute();
  if (removed.length === 0) return false;
  await noteAccessChange(on);
  return true;
}

function summaries(database: Database, now: number) {
  return database
    .selectFrom('account')
    .select(['id', 'name', 'is_admin', 'disabled', 'created_at'])
    .select(({ selectFrom }) => [
      selectFrom('daemon')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('daemon.account_id', '=', 'account.id')
        .as('daemons'),
      selectFrom('session')
        .select(({ fn }) => fn.max('session.seen_at').as('seen'))
        .whereRef('session.account_id', '=', 'account.id')
        .where('session.expires_at', '>', toSeconds(now))
        .as('seen'),
    ])
    .orderBy('name_key');
}

type SummaryRow = Awaited<ReturnType<ReturnType<typeof summaries>['execute']>>[number];

function summaryOf({ id, name, is_admin, disabled, created_at, daemons, seen }: SummaryRow): AccountSummary {
  return {
    id,
    name,
    isAdmin: is_admin === 1,
    isDisabled: disabled === 1,
    createdAt: new Date(created_at * 1000),
    daemons: Number(daemons),
    ...(seen !== null && { seenAt: new Date(Number(seen) * 1000) }),
  };
}
