import { randomBytes } from 'node:crypto';
import type { ExpressionBuilder, Selectable } from 'kysely';
import { type Database, toSeconds } from '../../store/database.ts';
import type { InvitationRow, Tables } from '../../store/schema.ts';
import type { Vault } from '../../store/vault.ts';
import { type VerifiedUser, whileVerified } from '../sessions/verified-user.ts';

const TOKEN_BYTES = 32;
const ID_BYTES = 4;
const DAY_S = 24 * 60 * 60;
/** Used and expired ones are listed no more, and forgotten after this. */
const KEPT_S = 30 * DAY_S;

export interface NewInvitation {
  /** For whom, in the words of whoever invites. */
  note: string;
  /** The new account may manage the proxy. */
  isAdmin: boolean;
  days: number;
}

export interface Invitation {
  id: string;
  note: string;
  isAdmin: boolean;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Links with which people make accounts. Each makes one. The database has only a keyed hash of them. */
export interface Invitations {
  /**
   * Resolves to the invitation with the secret of its link, which cannot be read again; to `undefined` if the administrator is no longer as
   * verified. `by`: absent on the proxy's machine.
   */
  create(invitation: NewInvitation, by: Inviter): Promise<(Invitation & { token: string }) | undefined>;
  /** Those that can be used, newest first. */
  list(): Promise<Invitation[]>;
  /** Resolves to `undefined` if it was used, has expired, was revoked, or its administrator is none any more. */
  find(token: string): Promise<Invitation | undefined>;
  /** Uses it up in the transaction that makes the account. Resolves to `undefined`, and changes nothing, if it cannot be used. */
  redeem<T>(token: string, make: (on: Database, invitation: Invitation) => Promise<T>): Promise<T | undefined>;
  /** Resolves to it; to `undefined` if there is none that can be used, or the administrator is no longer as verified. */
  revoke(id: string, by?: Required<VerifiedUser>): Promise<Invitation | undefined>;
  removeOld(): Promise<void>;
}

export interface Inviter {
  name: string;
  /** Absent on the proxy's machine. */
  user?: Required<VerifiedUser>;
}

export interface InvitationsOptions {
  database: Database;
  vault: Vault;
  /** Milliseconds. */
  now: () => number;
}

export function createInvitations({ database, vault, now }: InvitationsOptions): Invitations {
  const seconds = () => toSeconds(now());
  const nameOf = (token: string) => vault.nameOf(`invitation ${token}`);

  /** An administrator who was removed or disabled must not let anybody in. */
  const isOpen = ({ eb, and, or, exists, selectFrom }: ExpressionBuilder<Tables, 'invitation'>) =>
    and([
      eb('used_at', 'is', null),
      eb('expires_at', '>', seconds()),
      or([
        eb('creator_id', 'is', null),
        exists(
          selectFrom('account')
            .select('account.id')
            .whereRef('account.id', '=', 'invitation.creator_id')
            .where('account.disabled', '=', 0)
            .where('account.is_admin', '=', 1),
        ),
      ]),
    ]);
  const change = <T>(by: VerifiedUser | undefined, act: (on: Database) => Promise<T>): Promise<T | undefined> =>
    by ? whileVerified(database, by, act) : database.transaction().execute(act);

  return {
    create({ note, isAdmin, days }, { name, user }) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const row = {
        id: randomBytes(ID_BYTES).toString('hex'),
        token_name: nameOf(token),
        note,
        is_admin: isAdmin ? 1 : 0,
        creator_id: user?.account.id ?? null,
        creator: name,
        created_at: seconds(),
        expires_at: seconds() + days * DAY_S,
        used_at: null,
      };
      return change(user, async (on) => {
        await on.insertInto('invitation').values(row).execute();
        return { ...invitationOf(row), token };
      });
    },
    async list() {
      const rows = await database
        .selectFrom('invitation')
        .selectAll()
        .where(isOpen)
        .orderBy('created_at', 'desc')
        .execute();
      return rows.map(invitationOf);
    },
    async find(token) {
      const row = await database
        .selectFrom('invitation')
        .selectAll()
        .where('token_name', '=', nameOf(token))
        .where(isOpen)
        .executeTakeFirst();
      return row && invitationOf(row);
    },
    redeem: (token, make) =>
      database.transaction().execute(async (transaction) => {
        // Locks the row until the transaction ends: another one with the same link waits here, and then finds it used.
        const [used] = await transaction
          .updateTable('invitation')
          .set({ used_at: seconds() })
          .where('token_name', '=', nameOf(token))
          .where(isOpen)
          .returningAll()
          .execute();
        return used && make(transaction, invitationOf(used));
      }),
    revoke: (id, by) =>
      change(by, async (on) => {
        const [revoked] = await on
          .deleteFrom('invitation')
          .where('id', '=', id)
          .where('used_at', 'is', null)
          .returningAll()
          .execute();
        return revoked && invitationOf(revoked);
      }),
    async removeOld() {
      await database
        .deleteFrom('invitation')
        .where('expires_at', '<', seconds() - KEPT_S)
        .execute();
    },
  };
}

function invitationOf(row: Selectable<InvitationRow>): Invitation {
  return {
    id: row.id,
    note: row.note,
    isAdmin: row.is_admin === 1,
    invitedBy: row.creator,
    createdAt: new Date(row.created_at * 1000),
    expiresAt: new Date(row.expires_at * 1000),
  };
}
