import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { type Identity, tokenHashOf } from '../auth/identity.ts';
import type { ReAuthentication } from '../auth/passwords/re-authentication.ts';
import type { CredentialStore } from '../upstream/credential-store.ts';

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
  async function requirePassword(password: string, { identity: { username }, address }: Owner): Promise<void> {
    if (await reAuthentication.password(password, { username, address })) return;
    throw new GamekeeperError('invalid_request', 'Body: "password" is not your password.');
  }

  return {
    async begin({ password }, by) {
      await requirePassword(password, by);
      return store.beginTotp(by.identity.username);
    },
    async confirm({ code }, { identity, address }) {
      const { username } = identity;
      const recoveryCodes = await reAuthentication.newSecret(code, { username, address });
      if (!recoveryCodes) throw wrongCode();
      await store.endSessionsOf({ username, exceptTokenHash: tokenHashOf(identity) });
      return { recoveryCodes };
    },
    async remove(request, by) {
      const { identity, address } = by;
      const { username } = identity;
      if ('password' in request) await requirePassword(request.password, by);
      else if (!(await reAuthentication.code(request.code, { username, address }))) throw wrongCode();
      await store.removeTotp(username);
    },
    async renewRecoveryCodes({ password }, by) {
      await requirePassword(password, by);
      return { recoveryCodes: await store.renewRecoveryCodes(by.identity.username) };
    },
    removeRecoveryCodes: ({ identity }) => store.removeRecoveryCodes(identity.username),
  };
}

function wrongCode(): GamekeeperError {
  return new GamekeeperError('invalid_request', 'Body: "code" is wrong or was already used.', {
    resolution: 'Wait for the next code in your authenticator app, then try again.',
  });
}
