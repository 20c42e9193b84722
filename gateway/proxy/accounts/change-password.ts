import { askerOf, type PasswordWork } from '../../../shared/node/passwords/password-work.ts';
import { password as passwordRule } from '../../../shared/schema/credentials.ts';
import type { Accounts } from './accounts.ts';
import type { Sessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';
import type { SignedInUser } from './signed-in.ts';

export interface PasswordChange {
  /** The present one. */
  password: string;
  newPassword: string;
  /** Of the client. */
  address: string;
}

/** Resolves to what is wrong, for the user, or to `undefined` when the password is changed and all other browsers are signed out. */
export type ChangePassword = (user: SignedInUser, change: PasswordChange) => Promise<string | undefined>;

export interface ChangePasswordOptions {
  accounts: Accounts;
  sessions: Sessions;
  signIn: SignIn;
  passwords: PasswordWork;
}

export function createChangePassword({ accounts, sessions, signIn, passwords }: ChangePasswordOptions): ChangePassword {
  return async ({ account, session }, { password, newPassword, address }) => {
    if (!passwordRule.safeParse(newPassword).success) return 'The new password must have 8 to 256 characters.';
    if (!(await signIn.check({ name: account.name, password, address }))) return 'The present password is wrong.';
    const hash = await passwords.hash(newPassword, askerOf({ username: account.name }));
    await accounts.setPassword(account.id, hash);
    await sessions.endOthers(session);
    return undefined;
  };
}
