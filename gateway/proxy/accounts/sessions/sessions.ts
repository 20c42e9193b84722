import { randomBytes, randomUUID } from 'node:crypto';
import { type Database, toSeconds } from '../../store/database.ts';
import type { Vault } from '../../store/vault.ts';
import { type VerifiedUser, whileVerified } from './verified-user.ts';

const VALUE_BYTES = 32;
const DAY_S = 24 * 60 * 60;
/** A session ends when it was not used for this long, and at the latest when it is this old. */
const IDLE_S = 14 * DAY_S;
const LONGEST_S = 90 * DAY_S;
/** How long sensitive changes need no other proof. */
const CONFIRMED_S = 10 * 60;
/** A use is noted at most this often. */
const NOTED_EVERY_S = 5 * 60;
const LONGEST_USER_AGENT = 256;

export interface Session {
  id: string;
  accountId: string;
  /** When the person signed in. */
  signedInAt: Date;
  /** The version of the account that the person has confirmed lately, for sensitive changes. */
  confirmedVersion?: number;
}

export interface SessionInfo extends Session {
  seenAt: Date;
  userAgent: string;
  /** Where it was signed in from. */
  address: string;
}

export interface SignedIn {
  /** As the password, and the code if it needs one, were checked. */
  account: VerifiedUser['account'];
  userAgent: string;
  address: string;
}

/** Browsers that are signed in. The database holds only a keyed hash of each cookie. */
export interface Sessions {
  /** Resolves to the value of the cookie; to `undefined` if the account is no longer as it was checked. */
  begin(signedIn: SignedIn): Promise<string | undefined>;
  find(value: string): Promise<Session | undefined>;
  /** The one that was used last comes first. */
  ofAccount(accountId: string): Promise<SessionInfo[]>;
  /** Notes that the person has just proved who they are. Resolves to false if the user is no longer as verified. */
  confirm(by: Required<VerifiedUser>): Promise<boolean>;
  /** Resolves to false if the account has no such session. */
  end(id: string, accountId: string): Promise<boolean>;
  removeExpired(): Promise<void>;
}

export interface SessionsOptions {
  database: Database;
  vault: Vault;
  /** Milliseconds. */
  now: () => number;
}

export function createSessions({ database, vault, now }: SessionsOptions): Sessions {
  const seconds = () => toSeconds(now());
  return {
    async begin({ account, userAgent, address }) {
      const value = randomBytes(VALUE_BYTES).toString('base64url');
      const at = seconds();
      const row = {
        id: randomUUID(),
        token_name: vault.nameOf(value),
        account_id: account.id,
        created_at: at,
        seen_at: at,
        expires_at: at + IDLE_S,
        user_agent: userAgent.slice(0, LONGEST_USER_AGENT),
        address,
      };
      return whileVerified(database, { account }, async (transaction) => {
        await transaction.insertInto('session').values(row).execute();
        return value;
      });
    },
    async find(value) {
      const at = seconds();
      const row = await database
        .selectFrom('session')
        .selectAll()
        .where('token_name', '=', vault.nameOf(value))
        .where('expires_at', '>', at)
        .executeTakeFirst();
      if (!row) return undefined;
      if (at - row.seen_at >= NOTED_EVERY_S)
        await database
          .updateTable('session')
          .set({ seen_at: at, expires_at: Math.min(at + IDLE_S, row.created_at + LONGEST_S) })
          .where('id', '=', row.id)
          .execute();
      return {
        id: row.id,
        accountId: row.account_id,
        signedInAt: new Date(row.created_at * 1000),
        ...(row.confirmed_until > at && { confirmedVersion: row.confirmed_version }),
      };
    },
    async ofAccount(accountId) {
      const rows = await database
        .selectFrom('session')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('expires_at', '>', seconds())
        .orderBy('seen_at', 'desc')
        .execute();
      return rows.map((row) => ({
        id: row.id,
        accountId: row.account_id,
        signedInAt: new Date(row.created_at * 1000),
        seenAt: new Date(row.seen_at * 1000),
        userAgent: row.user_agent,
        address: row.address,
      }));
    },
    async confirm(by) {
      const values = { confirmed_until: seconds() + CONFIRMED_S, confirmed_version: by.account.version };
      const done = await whileVerified(database, by, async (transaction) => {
        await transaction.updateTable('session').set(values).where('id', '=', by.session.id).execute();
        return true;
      });
      return done ?? false;
    },
    async end(id, accountId) {
      const ended = await database
        .deleteFrom('session')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning('id')
        .execute();
      return ended.length > 0;
    },
    async removeExpired() {
      await database.deleteFrom('session').where('expires_at', '<=', seconds()).execute();
    },
  };
}
