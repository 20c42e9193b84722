import type { Selectable } from 'kysely';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { type Database, toSeconds } from '../../store/database.ts';
import type { AccountRow } from '../../store/schema.ts';
import { type Account, accountOf } from '../accounts.ts';
import { endOtherSessions, raiseVersion, type VerifiedUser, whileVerified } from '../sessions/verified-user.ts';
import type { RequireWayToSignIn } from '../sign-in/ways-to-sign-in.ts';

/** Somebody at a provider. */
export interface Identity {
  issuer: string;
  subject: string;
  label: string;
}

export interface ConnectedIdentity extends Identity {
  connectedAt: Date;
}

/** Accounts at providers with which people sign in here. Only their owners connect them: an equal mail address connects nothing. */
export interface Identities {
  ofAccount(accountId: string): Promise<ConnectedIdentity[]>;
  /** Resolves to the account that is connected, as it is at that moment. */
  accountOf(identity: Identity): Promise<Account | undefined>;
  /** Resolves to false if the user is no longer as verified. Throws `invalid_state` if it, or another of the same provider, is connected. */
  connect(by: Required<VerifiedUser>, identity: Identity): Promise<boolean>;
  /**
   * Ends all other sessions as well. Resolves to false if there is none or the user is no longer as verified. Throws `invalid_state` if it is
   * the only way to sign in.
   */
  remove(by: Required<VerifiedUser>, issuer: string): Promise<boolean>;
}

export interface IdentitiesOptions {
  database: Database;
  requireWayToSignIn: RequireWayToSignIn;
  /** Milliseconds. */
  now: () => number;
}

export function createIdentities({ database, requireWayToSignIn, now }: IdentitiesOptions): Identities {
  return {
    async ofAccount(accountId) {
      const rows = await database.selectFrom('identity').selectAll().where('account_id', '=', accountId).execute();
      return rows.map(({ issuer, subject, label, created_at }) => ({
        issuer,
        subject,
        label,
        connectedAt: new Date(created_at * 1000),
      }));
    },
    async accountOf({ issuer, subject }) {
      const row: Selectable<AccountRow> | undefined = await database
        .selectFrom('account')
        .innerJoin('identity', 'identity.account_id', 'account.id')
        .selectAll('account')
        .where('identity.issuer', '=', issuer)
        .where('identity.subject', '=', subject)
        .where('account.disabled', '=', 0)
        .executeTakeFirst();
      return row && accountOf(row);
    },
    async connect(by, identity) {
      const done = await whileVerified(database, by, async (transaction) => {
        await insertIdentity(transaction, { identity, accountId: by.account.id, at: now() });
        return true;
      });
      return done ?? false;
    },
    async remove(by, issuer) {
      const done = await whileVerified(database, by, async (transaction) => {
        const accountId = by.account.id;
        const removed = await transaction
          .deleteFrom('identity')
          .where('account_id', '=', accountId)
          .where('issuer', '=', issuer)
          .returning('subject')
          .execute();
        if (removed.length === 0) return false;
        await requireWayToSignIn(transaction, accountId);
        await raiseVersion(transaction, accountId);
        await endOtherSessions(transaction, by);
        return true;
      });
      return done ?? false;
    },
  };
}

/** `at`: milliseconds. Throws `invalid_state` if it, or another of the same provider, is connected. */
export async function insertIdentity(
  on: Database,
  { identity, accountId, at }: { identity: Identity; accountId: string; at: number },
): Promise<void> {
  const { issuer, subject, label } = identity;
  const added = await on
    .insertInto('identity')
    .values({ issuer, subject, account_id: accountId, label, created_at: toSeconds(at) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('subject')
    .execute();
  if (added.length > 0) return;
  throw new GamekeeperError('invalid_state', `"${label}" is already connected with an account here.`, {
    resolution:
      'Each can be connected with one account, and each account with one of a kind. Disconnect the other one first.',
  });
}
