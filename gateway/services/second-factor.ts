import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { type Identity, verifiedUser } from '../auth/identity.ts';
import type { ReAuthentication } from '../auth/passwords/re-authentication.ts';
import type { CredentialStore, VerifiedUser } from '../upstream/credential-store.ts';

/** The second factor of a signed-in user. Changing it needs re-authentication with a password or a code. */
export interface SecondFactorService {
  /** Creates a secret for an authenticator app. It is returned once, and takes effect when it is confirmed. */
  begin(request: { password: string }, by: Owner): Promise<{ secret: string; uri: string }>;
  /** Resolves to recovery codes, returned once. Ends the user's other sessions, which began without a second factor. */
  confirm(request: { code: string }, by: Owner): Promise<{ recoveryCodes: string[] }>;
  remove(request: { password: string } | { code: string }, by: Owner): Promise<void>;
  renewRecoveryCodes(request: { password: string }, by: Owner): Promise<{ recoveryCodes: string[] }>;
  removeRecoveryCodes(by: Owner): Promise<void>;
}

export interface Owner {
  identity: Identity;
  address: string;
}

export interface SecondFactorOptions {
  store: CredentialStore;
  reAuthentication: ReAuthentication;
}

export function createSecondFactorService({ store, reAuthentication }: SecondFactorOptions): SecondFactorService {
  /** Resolves to the user that this is the password of. */
  async function requirePassword(password: string, { identity, address }: Owner): Promise<VerifiedUser> {
    const user = await reAuthentication.password(password, { username: identity.username, address });
    if (user) return { ...verifiedUser(identity), version: user.version };
    throw new GamekeeperError('invalid_request', 'Body: "password" is not your password.');
  }

  async function requireCode(code: string, { identity, address }: Owner): Promise<VerifiedUser> {
    if (await reAuthentication.code(code, { username: identity.username, address })) return verifiedUser(identity);
    throw wrongCode();
  }

  return {
    async begin({ password }, by) {
      return store.beginTotp(await requirePassword(password, by));
    },
    async confirm({ code }, { identity, address }) {
      const recoveryCodes = await reAuthentication.newSecret(code, verifiedUser(identity), address);
      if (!recoveryCodes) throw wrongCode();
      return { recoveryCodes };
    },
    async remove(request, by) {
      await store.removeTotp(
        'password' in request ? await requirePassword(request.password, by) : await requireCode(request.code, by),
      );
    },
    async renewRecoveryCodes({ password }, by) {
      return { recoveryCodes: await store.renewRecoveryCodes(await requirePassword(password, by)) };
    },
    removeRecoveryCodes: ({ identity }) => store.removeRecoveryCodes(verifiedUser(identity)),
  };
}

function wrongCode(): GamekeeperError {
  return new GamekeeperError('invalid_request', 'Body: "code" is wrong or was already used.', {
    resolution: 'Wait for the next code in your authenticator app, then try again.',
  });
}
