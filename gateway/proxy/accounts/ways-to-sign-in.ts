import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Database } from '../store/database.ts';

/** Throws `invalid_state` if nobody could sign in to the account any more. Call it at the end of the transaction that removes something. */
export async function requireWayToSignIn(on: Database, accountId: string, rpId: string): Promise<void> {
  const { password_hash: hash } = await on
    .selectFrom('account')
    .select('password_hash')
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
  throw new GamekeeperError('invalid_state', 'This is the only way you have to sign in.', {
    resolution: 'Add another passkey or set a password first.',
  });
}
