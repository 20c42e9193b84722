import type { VerifiedUser } from '../../shared/contract/daemon/verified-user.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Store } from '../store/store.ts';

/**
 * Throws `unauthenticated` if the user is no longer as verified, or the session has ended. Call it in the transaction of the change. `null` is
 * the local administrator. `now` is an ISO time.
 */
export function requireVerified(
  { users, sessions }: Pick<Store, 'users' | 'sessions'>,
  by: VerifiedUser | null,
  now: string,
): void {
  if (by === null) return;
  const user = users.find(by.username);
  const isUnchanged = user !== null && !user.disabled && user.version === by.version;
  const isSignedIn = by.tokenHash === undefined || sessions.find(by.tokenHash, now) !== null;
  if (isUnchanged && isSignedIn) return;
  throw new GamekeeperError(
    'unauthenticated',
    'The user was changed or signed out while this request was under way. Nothing has changed.',
    { resolution: 'Sign in, then try again.' },
  );
}
