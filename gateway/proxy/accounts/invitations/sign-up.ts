import { randomUUID } from 'node:crypto';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Database } from '../../store/database.ts';
import { type Account, addAccount } from '../accounts.ts';
import type { Ceremonies, NewCredential } from '../passkeys/ceremonies.ts';
import { insertPasskey } from '../passkeys/passkeys.ts';
import { type Identity, insertIdentity } from '../providers/identities.ts';
import type { Invitations } from './invitations.ts';

/** How the new person will sign in. */
export type FirstWay =
  | { passwordHash: string }
  | { identity: Identity }
  | { passkey: { accountId: string; credential: NewCredential; name: string } };

/** Makes accounts for new people. */
export interface SignUp {
  /** Options for the first passkey of an account that is not there yet. */
  beginPasskey(invitationId: string, name: string): Promise<object>;
  /** Resolves to the passkey and the id that its account must have; to `undefined` if the response is wrong or was used. */
  checkPasskey(
    response: unknown,
    invitationId: string,
  ): Promise<{ accountId: string; credential: NewCredential } | undefined>;
  /** Resolves to the account; to `undefined` if the invitation cannot be used. Throws `user_exists` if the name is taken. */
  redeem(token: string, name: string, way: FirstWay): Promise<Account | undefined>;
  /** The same without an invitation, where the operator allows that. */
  uninvited(name: string, way: FirstWay): Promise<Account>;
}

export interface SignUpOptions {
  database: Database;
  invitations: Invitations;
  ceremonies: Ceremonies;
  /** Milliseconds. */
  now: () => number;
}

export function createSignUp({ database, invitations, ceremonies, now }: SignUpOptions): SignUp {
  const bindingOf = (invitationId: string) => `invitation ${invitationId}`;
  const { rpId } = ceremonies;

  async function create(on: Database, { name, isAdmin }: { name: string; isAdmin: boolean }, way: FirstWay) {
    const id = 'passkey' in way ? way.passkey.accountId : randomUUID();
    const given = 'passwordHash' in way ? { passwordHash: way.passwordHash } : {};
    const account = await addAccount(on, { id, name, isAdmin, ...given }, now());
    if ('identity' in way) await insertIdentity(on, { identity: way.identity, accountId: id, at: now() });
    if ('passkey' in way && !(await insertPasskey(on, { ...way.passkey, rpId, at: now() })))
      throw new GamekeeperError('invalid_state', 'This passkey belongs to another account.', {
        resolution: 'Create another one, or choose a password.',
      });
    return account;
  }

  return {
    beginPasskey: (invitationId, name) =>
      ceremonies.creationOptions({ id: randomUUID(), name }, { binding: bindingOf(invitationId), present: [] }),
    checkPasskey: (response, invitationId) => ceremonies.created(response, bindingOf(invitationId)),
    redeem: (token, name, way) => invitations.redeem(token, (on, { isAdmin }) => create(on, { name, isAdmin }, way)),
    uninvited: (name, way) => database.transaction().execute((on) => create(on, { name, isAdmin: false }, way)),
  };
}
