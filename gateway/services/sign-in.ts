import type { Role } from '../../shared/domain/scope.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { hashPassword } from '../../shared/node/password-hash.ts';
import type { Credentials } from '../auth/credentials.ts';
import type { Identity } from '../auth/identity.ts';
import { type LoginKey, loginThrottle } from '../auth/login-throttle.ts';
import { passwordCheck } from '../auth/password-check.ts';
import type { CredentialStore } from '../upstream/credential-store.ts';

export interface SignedIn {
  /** Value of the cookie. */
  value: string;
  username: string;
  role: Role;
  expiresAt: string;
  mustChangePassword: boolean;
}

export interface SignInService {
  /** Ends the session of `replaces`, so that a cookie planted before the sign-in is worth nothing after it. */
  signIn(
    request: { username: string; password: string },
    from: { address: string; replaces?: string | undefined },
  ): Promise<SignedIn>;
  signOut(value: string): Promise<void>;
  /** Sets an own password and starts a new session in place of the present one. */
  changePassword(
    request: { currentPassword: string; newPassword: string },
    by: Identity,
    from: { address: string; value: string },
  ): Promise<SignedIn>;
}

export interface SignInOptions {
  credentials: Credentials;
  store: CredentialStore;
  now: () => number;
}

export function signInService({ credentials, store, now }: SignInOptions): SignInService {
  const throttle = loginThrottle();
  const check = passwordCheck();

  function takeAttempt(key: LoginKey): void {
    const seconds = throttle.attempt(key, now());
    if (seconds > 0)
      throw new GamekeeperError('rate_limited', 'Too many failed sign-ins for this user from this address.', {
        retryAfterSeconds: seconds,
      });
  }

  return {
    async signIn({ username, password }, { address, replaces }) {
      takeAttempt({ username, address });
      const user = await store.user(username);
      if (!(await check(password, user?.passwordHash)) || !user)
        throw new GamekeeperError('unauthenticated', 'User name or password is wrong.');
      throttle.succeeded({ username, address });
      if (replaces !== undefined) await credentials.sessions.end(replaces);
      const { value, expiresAt } = await credentials.sessions.open(user, now());
      const { role, mustChangePassword } = user;
      return { value, username: user.username, role, expiresAt, mustChangePassword };
    },
    signOut: (value) => credentials.sessions.end(value),
    async changePassword({ currentPassword, newPassword }, { username, role }, { address, value }) {
      takeAttempt({ username, address });
      const user = await store.user(username);
      if (!user || !(await check(currentPassword, user.passwordHash)))
        throw new GamekeeperError('invalid_request', 'Body: "currentPassword" is not your password.');
      throttle.succeeded({ username, address });
      if (newPassword === currentPassword)
        throw new GamekeeperError('invalid_request', 'Body: "newPassword" is the one you have now.');
      await store.setPassword({ username, passwordHash: await hashPassword(newPassword), mustChangePassword: false });
      await credentials.sessions.end(value);
      const session = await credentials.sessions.open({ username }, now());
      return { ...session, username, role, mustChangePassword: false };
    },
  };
}
