import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Database } from '../../store/database.ts';

/** Throws `invalid_state` if nobody could sign in to the account any more. Call it at the end of the transaction that removes something. */
export type RequireWayToSignIn = (on: Database, accountId: string) => Promise<void>;

/** `rpId`: the host that passkeys work at. `issuers`: of the providers that are configured. What does not work now does not count. */
export function createRequireWayToSignIn(rpId: string, issuers: readonly string[]): RequireWayToSignIn {
  return async (on, accountId) => {
    const { hash } = await on
      .selectFrom('account')
      .select('password_hash as hash')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (hash !== '') return;
    const passkey = await on
      .selectFrom('passkey')
      .select('id')
      .where('account_id', '=', accountId)
      .where('rp_id', '=', rpId)
      .executeTakeFirst();
    if (passkey) return;
    const identities = await on.selectFrom('identity').select('issuer').where('account_id', '=', accountId).execute();
    if (identities.some(({ issuer }) => issuers.includes(issuer))) return;
    throw new GamekeeperError('invalid_state', 'This is the only way you have to sign in.', {
      resolution: 'Add another passkey or set a password first.',
    });
  };
}
