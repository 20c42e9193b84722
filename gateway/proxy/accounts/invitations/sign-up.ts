import { randomUUID } from 'node:crypto';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Database } from '../../store/database.ts';
import { type Account, addAccount } from '../accounts.ts';
import type { Ceremonies, NewCredential } from '../passkeys/ceremonies.ts';
import { insertPasskey } from '../passkeys/passkeys.ts';
import type { Invitations } from './invitations.ts';

/** How the new person will sign in. */
export type FirstWay =
  | { passwordHash: string }
  | { passkey: { accountId: string; credential: NewCredential; name: string } };

/** Makes accounts for people with an invitation. */
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
}

export interface SignUpOptions {
  invitations: Invitations;
  ceremonies: Ceremonies;
  /** Milliseconds. */
  now: () => number;
}

export function createSignUp({ invitations, ceremonies, now }: SignUpOptions): SignUp {
  const bindingOf = (invitationId: string) => `invitation ${invitationId}`;
  const { rpId } = ceremonies;

  async function addPasskey(on: Database, way: FirstWay): Promise<void> {
    if (!('passkey' in way) || (await insertPasskey(on, { ...way.passkey, rpId, at: now() }))) return;
    throw new GamekeeperError('invalid_state', 'This passkey belongs to another account.', {
      resolution: 'Create another one, or choose a password.',
    });
  }

  return {
    beginPasskey: (invitationId, name) =>
      ceremonies.creationOptions({ id: randomUUID(), name }, { binding: bindingOf(invitationId), present: [] }),
    checkPasskey: (response, invitationId) => ceremonies.created(response, bindingOf(invitationId)),
    redeem: (token, name, way) =>
      invitations.redeem(token, async (on, { isAdmin }) => {
        const given = 'passkey' in way ? { id: way.passkey.accountId } : { passwordHash: way.passwordHash };
        const account = await addAccount(on, { name, isAdmin, ...given }, now());
        await addPasskey(on, way);
        return account;
      }),
  };
}
