import type { Selectable } from 'kysely';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { type Database, toSeconds } from '../../store/database.ts';
import type { PasskeyRow } from '../../store/schema.ts';
import { type Account, accountOf } from '../accounts.ts';
import type { VerifiedUser } from '../sessions/verified-user.ts';
import { endOtherSessions, raiseVersion, whileVerified } from '../sessions/verified-user.ts';
import type { RequireWayToSignIn } from '../sign-in/ways-to-sign-in.ts';
import type { Ceremonies, NewCredential, StoredCredential } from './ceremonies.ts';

/** More than anybody needs, so that an account cannot fill the database. */
const MOST_OF_ACCOUNT = 20;

export interface Passkey {
  id: string;
  name: string;
  addedAt: Date;
  usedAt?: Date;
  /** It was made for another address of the proxy. */
  isForeign: boolean;
}

/** Passkeys of accounts. Each counts as both factors: the device, and the finger, face or PIN that it asks for. */
export interface Passkeys {
  /** The one that was added first comes first. */
  ofAccount(accountId: string): Promise<Passkey[]>;
  /** Options for `navigator.credentials.create`. Throws `invalid_state` if the account has too many. */
  beginAdding(account: { id: string; name: string }): Promise<object>;
  /** Resolves to false if the response is wrong or was used, or the user is no longer as verified. */
  add(by: Required<VerifiedUser>, response: unknown, name: string): Promise<boolean>;
  /** Options for `navigator.credentials.get`: for any account. */
  beginUse(): Promise<object>;
  /**
   * Resolves to the account that a passkey proves, as it is at that moment; to `undefined` if the response is wrong or was used. `isCopied`: the
   * signature is right, but another device seems to have the same passkey.
   */
  use(response: unknown): Promise<{ account: Account; isCopied: boolean } | undefined>;
  /** Ends all other sessions as well. Throws `invalid_state` if it is the only way to sign in. */
  remove(by: Required<VerifiedUser>, id: string): Promise<{ name: string } | undefined>;
}

export interface PasskeysOptions {
  database: Database;
  ceremonies: Ceremonies;
  requireWayToSignIn: RequireWayToSignIn;
  /** Milliseconds. */
  now: () => number;
}

export function createPasskeys({ database, ceremonies, requireWayToSignIn, now }: PasskeysOptions): Passkeys {
  const { rpId } = ceremonies;
  const rowsOf = (on: Database, accountId: string) =>
    on.selectFrom('passkey').selectAll().where('account_id', '=', accountId).orderBy('created_at').execute();

  async function find(id: string): Promise<StoredCredential | undefined> {
    const row = await database
      .selectFrom('passkey')
      .selectAll()
      .where('id', '=', id)
      .where('rp_id', '=', rpId)
      .executeTakeFirst();
    return row && credentialOf(row);
  }

  return {
    ofAccount: async (accountId) => (await rowsOf(database, accountId)).map((row) => passkeyOf(row, rpId)),
    async beginAdding(account) {
      const present = await rowsOf(database, account.id);
      requireSpace(present);
      return ceremonies.creationOptions(account, { binding: account.id, present: present.map(credentialOf) });
    },
    async add(by, response, name) {
      const { id: accountId } = by.account;
      const created = await ceremonies.created(response, accountId);
      if (!created) return false;
      const added = await whileVerified(database, by, async (transaction) => {
        requireSpace(await rowsOf(transaction, accountId));
        return insertPasskey(transaction, { ...created, name, rpId, at: now() });
      });
      return added ?? false;
    },
    beginUse: () => ceremonies.requestOptions(),
    async use(response) {
      const used = await ceremonies.used(response, find);
      return used && database.transaction().execute((transaction) => noteUse(transaction, used, now()));
    },
    remove: (by, id) =>
      whileVerified(database, by, async (transaction) => {
        const accountId = by.account.id;
        const [removed] = await transaction
          .deleteFrom('passkey')
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .returning('name')
          .execute();
        if (!removed) return undefined;
        await requireWayToSignIn(transaction, accountId);
        await raiseVersion(transaction, accountId);
        await endOtherSessions(transaction, by);
        return removed;
      }),
  };
}

/**
 * Stores the new counter. Devices count their signatures, or always send 0: a count that does not rise is that of a copy (WebAuthn, section
 * 6.1.1). The account is read in the same transaction, so that it is from before a removal of the passkey, or not at all.
 */
async function noteUse(
  on: Database,
  { credential, counter }: { credential: StoredCredential; counter: number },
  at: number,
): Promise<{ account: Account; isCopied: boolean } | undefined> {
  const [present] = await on
    .updateTable('passkey')
    .set({ used_at: toSeconds(at) })
    .where('id', '=', credential.id)
    .returning('counter')
    .execute();
  if (!present) return undefined;
  const isCopied = (present.counter > 0 || counter > 0) && counter <= present.counter;
  if (!isCopied) await on.updateTable('passkey').set({ counter }).where('id', '=', credential.id).execute();
  const row = await on
    .selectFrom('account')
    .selectAll()
    .where('id', '=', credential.accountId)
    .where('disabled', '=', 0)
    .executeTakeFirst();
  return row && { account: accountOf(row), isCopied };
}

export interface InsertedPasskey {
  credential: NewCredential;
  accountId: string;
  name: string;
  rpId: string;
  /** Milliseconds. */
  at: number;
}

/** Resolves to false if there is such a passkey, of whatever account. */
export async function insertPasskey(
  on: Database,
  { credential, accountId, name, rpId, at }: InsertedPasskey,
): Promise<boolean> {
  const { id, publicKey, counter, transports } = credential;
  const added = await on
    .insertInto('passkey')
    .values({
      id,
      account_id: accountId,
      rp_id: rpId,
      name,
      public_key: publicKey,
      counter,
      transports: transports.join(' '),
      created_at: toSeconds(at),
      used_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return added.length > 0;
}

function requireSpace(present: readonly unknown[]): void {
  if (present.length < MOST_OF_ACCOUNT) return;
  throw new GamekeeperError('invalid_state', `This account has ${MOST_OF_ACCOUNT} passkeys, the maximum.`, {
    resolution: 'Remove one that you no longer use.',
  });
}

function credentialOf(row: Selectable<PasskeyRow>): StoredCredential {
  return {
    id: row.id,
    accountId: row.account_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: row.transports.split(' ').filter(Boolean),
  };
}

function passkeyOf(row: Selectable<PasskeyRow>, rpId: string): Passkey {
  return {
    id: row.id,
    name: row.name,
    addedAt: new Date(row.created_at * 1000),
    isForeign: row.rp_id !== rpId,
    ...(row.used_at !== null && { usedAt: new Date(row.used_at * 1000) }),
  };
}
