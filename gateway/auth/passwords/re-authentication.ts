import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { addressGroup } from '../../../shared/node/address-group.ts';
import type { CredentialStore, UserRecord } from '../../upstream/credential-store.ts';
import { createFailureLimit } from './failure-limit.ts';
import type { PasswordWork } from './password-work.ts';

const WINDOW_MS = 15 * 60_000;
/** Per user and address (api.md, Credentials). */
const MOST_FAILURES = 5;
/** Per user, from wherever: who guesses one-time codes knows the password, and has more addresses than there are codes. */
const MOST_WRONG_CODES = 20;

/** Who is proving something, and from where. */
export interface Prover {
  username: string;
  address: string;
}

export type Proof = 'right' | 'wrong' | 'second factor missing' | 'second factor wrong';

/** What people prove themselves with. What is wrong is counted, and after too much of it nothing is looked at: `rate_limited`. */
export interface ReAuthentication {
  /**
   * Looks at a password and, where the user has a second factor, at the code that came with it. Of the second factor nothing is said
   * before the password is right (GHSA-fg52-xjfc-9rh8). `user` may be nobody; that takes as long.
   */
  signIn(
    proof: { password: string; code: string | undefined },
    user: UserRecord | null,
    prover: Prover,
  ): Promise<Proof>;
  /** True for the password of a user who is signed in. */
  password(password: string, prover: Prover): Promise<boolean>;
  /** True for a code of a user who is signed in; it is used up by this. */
  code(code: string, prover: Prover): Promise<boolean>;
  /** Recovery codes, once a code shows that an authenticator app has the new secret; `null` for a wrong one. */
  newSecret(code: string, prover: Prover): Promise<string[] | null>;
}

export interface ReAuthenticationOptions {
  store: Pick<CredentialStore, 'user' | 'useSecondFactor' | 'confirmTotp'>;
  passwords: PasswordWork;
  now: () => number;
}

export function createReAuthentication({ store, passwords, now }: ReAuthenticationOptions): ReAuthentication {
  const failures = createFailureLimit({ most: MOST_FAILURES, windowMs: WINDOW_MS });
  const wrongCodes = createFailureLimit({ most: MOST_WRONG_CODES, windowMs: WINDOW_MS });

  /** Counts an attempt, does `look`, and takes the attempt back where it came to no judgement. */
  async function attempt<T>(prover: Prover, look: (key: string) => Promise<T>): Promise<T> {
    const key = `${addressGroup(prover.address)} ${prover.username.toLowerCase()}`;
    refuseFor(failures.attempt(key, now()));
    try {
      return await look(key);
    } catch (error) {
      failures.withdraw(key);
      throw error;
    }
  }

  /** The attempt is taken by the caller already. */
  async function useCode(username: string, code: string): Promise<boolean> {
    // Recovery codes cannot be guessed, and let the owner in while somebody else is guessing.
    const key = /^[\d ]*$/.test(code) ? username.toLowerCase() : undefined;
    if (key !== undefined) refuseFor(wrongCodes.attempt(key, now()));
    const right = await store.useSecondFactor({ username, code });
    if (right && key !== undefined) wrongCodes.withdraw(key);
    return right;
  }

  return {
    signIn: ({ password, code }, user, prover) =>
      attempt(prover, async (key) => {
        const right = await passwords.check(password, user?.passwordHash, addressGroup(prover.address));
        if (!right || !user || user.disabled) return 'wrong';
        if (user.totp && code === undefined) {
          failures.withdraw(key);
          return 'second factor missing';
        }
        if (user.totp && !(await useCode(user.username, code ?? ''))) return 'second factor wrong';
        failures.succeeded(key);
        return 'right';
      }),
    password: (password, prover) =>
      attempt(prover, async (key) => {
        const user = await store.user(prover.username);
        const right = await passwords.check(password, user?.passwordHash, addressGroup(prover.address));
        if (right) failures.succeeded(key);
        return right;
      }),
    code: (code, prover) =>
      attempt(prover, async (key) => {
        const right = await useCode(prover.username, code);
        if (right) failures.succeeded(key);
        return right;
      }),
    newSecret: (code, prover) =>
      attempt(prover, async (key) => {
        const recoveryCodes = await store.confirmTotp({ username: prover.username, code });
        if (recoveryCodes) failures.succeeded(key);
        return recoveryCodes;
      }),
  };
}

function refuseFor(seconds: number): void {
  if (seconds <= 0) return;
  throw new GamekeeperError('rate_limited', 'Too many failed sign-ins for this user.', { retryAfterSeconds: seconds });
}
