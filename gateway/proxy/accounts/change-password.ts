import { askerOf, type PasswordWork } from '../../../shared/node/passwords/password-work.ts';
import { password as passwordRule } from '../../../shared/schema/credentials.ts';
import type { Accounts } from './accounts.ts';
import { browserOf, type SignedInUser } from './sessions/signed-in.ts';
import type { SignIn } from './sign-in/sign-in.ts';

const WRONG_PASSWORD = 'The current password is wrong.';

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
  signIn: SignIn;
  passwords: PasswordWork;
}

export function createChangePassword({ accounts, signIn, passwords }: ChangePasswordOptions): ChangePassword {
  return async ({ account, session }, { password, newPassword, address }) => {
    if (!passwordRule.safeParse(newPassword).success) return 'The new password must have 8 to 256 characters.';
    // Without a password, the user has proved themselves in another way (account-routes.ts).
    const verified =
      account.passwordHash === undefined
        ? account
        : await signIn.check({ name: account.name, password, address, browser: browserOf({ account, session }) });
    if (!verified) return WRONG_PASSWORD;
    const hash = await passwords.hash(newPassword, askerOf({ username: account.name }));
    return (await accounts.setPassword({ account: verified, session }, hash)) ? undefined : WRONG_PASSWORD;
  };
}
