import type { Role } from '../../shared/domain/access/scope.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { lanAddresses } from '../../shared/node/lan-addresses.ts';
import { askerOf, type PasswordWork } from '../../shared/node/passwords/password-work.ts';
import type { SessionInfo } from '../../shared/schema/credentials.ts';
import type { Credentials } from '../auth/credentials/credentials.ts';
import { type Identity, verifiedUser } from '../auth/identity.ts';
import type { ReAuthentication, Verdict } from '../auth/passwords/re-authentication.ts';
import type { CredentialStore, UserRecord } from '../upstream/credential-store.ts';

export interface SignedIn {
  value: string;
  username: string;
  role: Role;
  expiresAt: string;
  mustChangePassword: boolean;
}

export interface SignInRequest {
  username: string;
  password: string;
  /** A one-time code or a recovery code. */
  totp?: string | undefined;
}

export interface SignInFrom {
  address: string;
  replaces?: string | undefined;
  /** Called with the user's name, if that user exists, before the password is checked. For the audit. */
  onUser: (username: string) => void;
}

/** A checked password, without a session. */
export interface Checked {
  verdict: Verdict;
  /** If it is right: the user as it was checked. */
  user?: { username: string; version: string; mustChangePassword: boolean };
}

export interface SignInService {
  /** Checks what `signIn` checks, for connections that need no session. */
  check(request: SignInRequest, from: Pick<SignInFrom, 'address' | 'onUser'>): Promise<Checked>;
  /** Ends the session of `replaces` as well, so that a cookie planted before the sign-in is revoked. */
  signIn(request: SignInRequest, from: SignInFrom): Promise<SignedIn>;
  /** Ends the session, or every session of its user. Resolves to the user; `undefined` if there was no session. */
  signOut(value: string, options: { everywhere: boolean }): Promise<string | undefined>;
  session(by: Identity): Promise<SessionInfo>;
  /** Changes the password, ends every session of the user, and starts a new one. */
  changePassword(
    request: { currentPassword: string; newPassword: string },
    by: Identity,
    from: { address: string },
  ): Promise<SignedIn>;
}

export interface SignInOptions {
  credentials: Credentials;
  store: CredentialStore;
  reAuthentication: ReAuthentication;
  passwords: PasswordWork;
  now: () => number;
}

export function createSignInService({
  credentials,
  store,
  reAuthentication,
  passwords,
  now,
}: SignInOptions): SignInService {
  const { sessions } = credentials;

  async function verify(
    { username, password, totp: code }: SignInRequest,
    { address, onUser }: Pick<SignInFrom, 'address' | 'onUser'>,
  ): Promise<{ verdict: Verdict; user: UserRecord | null }> {
    const user = await store.user(username);
    if (user) onUser(user.username);
    return { verdict: await reAuthentication.signIn({ password, code }, user, { username, address }), user };
  }

  return {
    async check(request, from) {
      const { verdict, user } = await verify(request, from);
      if (verdict !== 'right' || !user) return { verdict };
      const { username, version, mustChangePassword } = user;
      return { verdict, user: { username, version, mustChangePassword } };
    },
    async signIn(request, { replaces, ...from }) {
      const { verdict, user } = await verify(request, from);
      if (!user || verdict === 'wrong')
        throw new GamekeeperError('unauthenticated', 'Wrong username or password.', {
          resolution: 'Try again. An administrator can set a new password with "gamekeeper user passwd".',
        });
      if (verdict === 'second factor missing')
        throw new GamekeeperError('totp_required', 'This user also needs a one-time code.');
      if (verdict === 'second factor wrong')
        throw new GamekeeperError('totp_invalid', 'The one-time code is wrong or was already used.');
      if (replaces !== undefined) await sessions.end(replaces);
      const { role, mustChangePassword, version } = user;
      const { value, record } = await sessions.open({ username: user.username, version }, now());
      return { value, expiresAt: record.expiresAt, username: user.username, role, mustChangePassword };
    },
    async signOut(value, { everywhere }) {
      const identity = await sessions.find(value, now());
      // An invented cookie must not end in an event that all processes hear.
      if (!identity) return undefined;
      if (everywhere) await store.endSessionsOf(identity.username);
      await sessions.end(value);
      return identity.username;
    },
    async session({ username, role, expiresAt, mustChangePassword }) {
      const user = await store.user(username);
      return {
        username,
        role,
        expiresAt: new Date(expiresAt).toISOString(),
        mustChangePassword,
        instances: user?.instances ?? [],
        totp: user?.totp ?? false,
        recoveryCodes: user?.recoveryCodes ?? 0,
        lanAddresses: lanAddresses(),
      };
    },
    async changePassword({ currentPassword, newPassword }, by, { address }) {
      const { username } = by;
      const user = await reAuthentication.password(currentPassword, { username, address });
      if (!user) throw new GamekeeperError('invalid_request', 'Body: "currentPassword" is not your password.');
      if (newPassword === currentPassword)
        throw new GamekeeperError('invalid_request', 'Body: "newPassword" is your current password.');
      const passwordHash = await passwords.hash(newPassword, askerOf(by));
      const { value, record } = await sessions.prepare(username, now());
      await store.setPassword({ passwordHash, session: record, by: { ...verifiedUser(by), version: user.version } });
      return { value, expiresAt: record.expiresAt, username, role: user.role, mustChangePassword: false };
    },
  };
}
