import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, toSeconds } from '../store/database.ts';
import type { Vault } from '../store/vault.ts';

const VALUE_BYTES = 32;
/** Then the browser gets another one by itself, as long as it is signed in at the proxy. */
const LIFETIME_S = 12 * 60 * 60;
/** Fewer than a statement may have parameters. */
const LOOKED_UP_AT_ONCE = 500;

export interface PanelSession {
  /** `Vault.nameOf` of the cookie's value. */
  name: string;
  accountId: string;
  expiresAt: Date;
}

/** The browser session at the proxy that is signed in, and the daemon whose panel it opens. */
export interface PanelOwner {
  sessionId: string;
  daemonId: string;
}

/**
 * Browsers on the hosts of daemons. Each belongs to a session at the proxy and ends with it, in the same statement: at sign-out, after a change of the
 * password, and when the account is disabled or the daemon removed.
 */
export interface PanelSessions {
  /** Resolves to the cookie's value; to `undefined` if the session has ended, or the daemon is not its account's. Replaces an earlier one. */
  begin(owner: PanelOwner): Promise<string | undefined>;
  /** Resolves to `undefined` if the cookie is not one for this daemon. */
  find(value: string, daemonId: string): Promise<PanelSession | undefined>;
  /** Resolves to those that have ended. */
  ended(names: readonly string[]): Promise<string[]>;
  end(name: string): Promise<void>;
  removeExpired(): Promise<void>;
}

export interface PanelSessionsOptions {
  database: Database;
  vault: Vault;
  /** Milliseconds. */
  now: () => number;
}

export function createPanelSessions({ database, vault, now }: PanelSessionsOptions): PanelSessions {
  const seconds = () => toSeconds(now());

  /** Those whose session, account and daemon still allow it. */
  const live = () =>
    database
      .selectFrom('panel_session')
      .innerJoin('session', 'session.id', 'panel_session.session_id')
      .innerJoin('account', 'account.id', 'session.account_id')
      .innerJoin('daemon', 'daemon.id', 'panel_session.daemon_id')
      .whereRef('daemon.account_id', '=', 'session.account_id')
      .where('account.disabled', '=', 0)
      .where('session.expires_at', '>', seconds())
      .where('panel_session.expires_at', '>', seconds());

  return {
    async begin({ sessionId, daemonId }) {
      const value = randomBytes(VALUE_BYTES).toString('base64url');
      const name = vault.nameOf(value);
      const expiresAt = seconds() + LIFETIME_S;
      const added = await database
        .insertInto('panel_session')
        .columns(['session_id', 'daemon_id', 'token_name', 'expires_at'])
        .expression(
          database
            .selectFrom('session')
            .innerJoin('account', 'account.id', 'session.account_id')
            .innerJoin('daemon', 'daemon.account_id', 'session.account_id')
            .where('session.id', '=', sessionId)
            .where('session.expires_at', '>', seconds())
            .where('account.disabled', '=', 0)
            .where('daemon.id', '=', daemonId)
            .select(['session.id', 'daemon.id as daemon_id'])
            .select([
              sql<string>`CAST(${name} AS TEXT)`.as('token_name'),
              sql<number>`CAST(${expiresAt} AS BIGINT)`.as('expires_at'),
            ]),
        )
        .onConflict((conflict) =>
          conflict.columns(['session_id', 'daemon_id']).doUpdateSet({ token_name: name, expires_at: expiresAt }),
        )
        .returning('token_name')
        .execute();
      return added.length > 0 ? value : undefined;
    },
    async find(value, daemonId) {
      const row = await live()
        .where('panel_session.token_name', '=', vault.nameOf(value))
        .where('panel_session.daemon_id', '=', daemonId)
        .select(['panel_session.token_name', 'session.account_id', 'panel_session.expires_at'])
        .executeTakeFirst();
      return row && { name: row.token_name, accountId: row.account_id, expiresAt: new Date(row.expires_at * 1000) };
    },
    async ended(names) {
      const found = new Set<string>();
      for (let from = 0; from < names.length; from += LOOKED_UP_AT_ONCE) {
        const part = names.slice(from, from + LOOKED_UP_AT_ONCE);
        const rows = await live()
          .where('panel_session.token_name', 'in', part)
          .select('panel_session.token_name')
          .execute();
        for (const { token_name } of rows) found.add(token_name);
      }
      return names.filter((name) => !found.has(name));
    },
    async end(name) {
      await database.deleteFrom('panel_session').where('token_name', '=', name).execute();
    },
    async removeExpired() {
      await database.deleteFrom('panel_session').where('expires_at', '<=', seconds()).execute();
    },
  };
}
