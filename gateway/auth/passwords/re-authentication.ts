import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { addressGroup } from '../../../shared/node/address-group.ts';
import { createFailureLimit } from '../../../shared/node/passwords/failure-limit.ts';
import { askerOf, type PasswordWork } from '../../../shared/node/passwords/password-work.ts';
import type { CredentialStore, UserRecord, VerifiedUser } from '../../upstream/credential-store.ts';

const WINDOW_MS = 15 * 60_000;
/** Per user and address. */
const MOST_FAILURES = 5;
/** Per user from all addresses: an attacker who knows the password may have more addresses than there are codes. */
const MOST_WRONG_CODES = 20;
/** Pairs of user and address that have signed in. */
const MOST_KNOWN = 1_000;

export interface Claimant {
  username: string;
  address: string;
}

export type Verdict = 'right' | 'wrong' | 'second factor missing' | 'second factor wrong';

/** Checks passwords and codes. Throws `rate_limited` after too many failures, without checking anything. */
export interface ReAuthentication {
  /**
   * Checks a password and, if the user has a second factor, the code that came with it. Reveals nothing about the second factor before the
   * password is right (GHSA-fg52-xjfc-9rh8). Takes equally long if there is no such user.
   */
  signIn(
    entered: { password: string; code: string | undefined },
    user: UserRecord | null,
    claimant: Claimant,
  ): Promise<Verdict>;
  /** Resolves to the user as the password was checked; to `null` if it is wrong. */
  password(password: string, claimant: Claimant): Promise<UserRecord | null>;
  /** Checks a code of a user who is signed in, and uses it up. */
  code(code: string, claimant: Claimant): Promise<boolean>;
  /** Confirms a new secret with one of its codes. Resolves to recovery codes; to `null` for a wrong code. */
  newSecret(code: string, by: VerifiedUser, address: string): Promise<string[] | null>;
}

export interface ReAuthenticationOptions {
  store: Pick<CredentialStore, 'user' | 'useSecondFactor' | 'confirmTotp'>;
  passwords: PasswordWork;
  now: () => number;
}

export function createReAuthentication({ store, passwords, now }: ReAuthenticationOptions): ReAuthentication {
  const failures = createFailureLimit({ most: MOST_FAILURES, windowMs: WINDOW_MS });
  const wrongCodes = createFailureLimit({ most: MOST_WRONG_CODES, windowMs: WINDOW_MS });

  const known = new Set<string>();

  function remember(key: string): void {
    known.delete(key);
    known.add(key);
    const [oldest] = known;
    if (known.size > MOST_KNOWN) known.delete(oldest!);
  }

  /** Counts an attempt, and takes it back if `check` throws before it has a verdict. */
  async function attempt<T>(claimant: Claimant, check: (key: string) => Promise<T>): Promise<T> {
    const key = `${addressGroup(claimant.address)} ${claimant.username.toLowerCase()}`;
    refuseFor(failures.attempt(key, now()));
    try {
      return await check(key);
    } catch (error) {
      failures.withdraw(key);
      throw error;
    }
  }

  /** The caller counts the attempt. */
  async function useCode(username: string, code: string): Promise<boolean> {
    // Recovery codes cannot be guessed, so they are not limited, and let the owner in during a guessing attack.
    const key = /^[\d ]*$/.test(code) ? username.toLowerCase() : undefined;
    if (key !== undefined) refuseFor(wrongCodes.attempt(key, now()));
    const right = await store.useSecondFactor({ username, code });
    if (right && key !== undefined) wrongCodes.withdraw(key);
    return right;
  }

  return {
    signIn: ({ password, code }, user, claimant) =>
      attempt(claimant, async (key) => {
        const asker = known.has(key)
          ? { group: key, known: true }
          : { group: addressGroup(claimant.address), known: false };
        const right = await passwords.check(password, user?.passwordHash, asker);
        if (!right || !user || user.disabled) return 'wrong';
        if (user.totp && code === undefined) {
          failures.withdraw(key);
          return 'second factor missing';
        }
        if (user.totp && !(await useCode(user.username, code ?? ''))) return 'second factor wrong';
        failures.succeeded(key);
        remember(key);
        return 'right';
      }),
    password: (password, claimant) =>
      attempt(claimant, async (key) => {
        const user = await store.user(claimant.username);
        const right = await passwords.check(password, user?.passwordHash, askerOf(claimant));
        if (!right) return null;
        failures.succeeded(key);
        return user;
      }),
    code: (code, claimant) =>
      attempt(claimant, async (key) => {
        const right = await useCode(claimant.username, code);
        if (right) failures.succeeded(key);
        return right;
      }),
    newSecret: (code, by, address) =>
      attempt({ username: by.username, address }, async (key) => {
        const recoveryCodes = await store.confirmTotp({ code, by });
        if (recoveryCodes) failures.succeeded(key);
        return recoveryCodes;
      }),
  };
}

function refuseFor(seconds: number): void {
  if (seconds <= 0) return;
  throw new GamekeeperError('rate_limited', 'Too many failed sign-ins for this user.', { retryAfterSeconds: seconds });
}
