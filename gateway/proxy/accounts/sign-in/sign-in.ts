import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { addressGroup } from '../../../../shared/node/address-group.ts';
import { createFailureLimit, type FailureLimit } from '../../../../shared/node/passwords/failure-limit.ts';
import type { PasswordWork } from '../../../../shared/node/passwords/password-work.ts';
import type { Account, Accounts } from '../accounts.ts';
import type { SecondFactors } from '../second-factors/second-factors.ts';
import type { KnownBrowser } from './known-browser.ts';

const WINDOW_MS = 15 * 60_000;
/** Per account and address group, or per account and browser that is known for it. */
const MOST_FAILURES = 5;
/** Per address group over all accounts: many people may share an address. */
const MOST_FAILURES_OF_GROUP = 50;
/** Per account over all addresses. High, because whoever reaches it keeps the owner out for a while. */
const MOST_FAILURES_OF_ACCOUNT = 100;
/** Per account: an attacker who knows the password may have more addresses than there are codes. */
const MOST_WRONG_CODES = 20;

export interface Claim {
  name: string;
  password: string;
  /** Of the client. */
  address: string;
  /** The browser that it comes from, if somebody has signed in there before. */
  browser?: KnownBrowser | undefined;
}

/** Checks the password that somebody enters. */
export interface SignIn {
  /** Resolves to the account, or `undefined` if name or password is wrong. Throws `rate_limited` after too many failures. */
  check(claim: Claim): Promise<Account | undefined>;
  /** Uses up a code of the account's second factor. Throws `rate_limited` after too many wrong ones. */
  checkCode(account: Account, code: string): Promise<boolean>;
}

export interface SignInOptions {
  accounts: Accounts;
  secondFactors: SecondFactors;
  passwords: PasswordWork;
  /** Milliseconds. */
  now: () => number;
}

export function createSignIn({ accounts, secondFactors, passwords, now }: SignInOptions): SignIn {
  const limitOf = (most: number) => createFailureLimit({ most, windowMs: WINDOW_MS });
  const byPair = limitOf(MOST_FAILURES);
  const byGroup = limitOf(MOST_FAILURES_OF_GROUP);
  const byAccount = limitOf(MOST_FAILURES_OF_ACCOUNT);
  const wrongCodes = limitOf(MOST_WRONG_CODES);

  async function isKnownFor(browser: KnownBrowser, name: string): Promise<boolean> {
    const account = await accounts.findByName(name);
    return account !== undefined && browser.accounts.includes(account.id);
  }

  return {
    async check({ name, password, address, browser }) {
      const account = name.toLowerCase();
      const isKnown = browser !== undefined && (await isKnownFor(browser, name));
      // What strangers do must not keep an owner out, so neither their counts nor their queue concern a known browser.
      const group = isKnown ? `browser ${browser.id}` : addressGroup(address);
      const pair: [FailureLimit, string] = [byPair, `${group} ${account}`];
      const counted = isKnown
        ? [pair]
        : ([pair, [byGroup, group], [byAccount, account]] satisfies [FailureLimit, string][]);
      const withdraw = (attempts: typeof counted) => {
        for (const [limit, key] of attempts) limit.withdraw(key);
      };
      for (const [index, [limit, key]] of counted.entries()) {
        const seconds = limit.attempt(key, now());
        if (seconds === 0) continue;
        withdraw(counted.slice(0, index));
        throw tooMany(seconds);
      }
      let found: Account | undefined;
      try {
        found = await accounts.findByName(name);
        if (!(await passwords.check(password, found?.passwordHash, { group, known: isKnown }))) return undefined;
      } catch (error) {
        withdraw(counted);
        throw error;
      }
      withdraw(counted);
      byPair.succeeded(`${group} ${account}`);
      return found;
    },
    async checkCode({ id }, code) {
      // Recovery codes cannot be guessed, so they are not limited, and let the owner in during a guessing attack.
      const isLimited = /^[\d ]*$/.test(code);
      const seconds = isLimited ? wrongCodes.attempt(id, now()) : 0;
      if (seconds > 0) throw tooMany(seconds);
      const isRight = await secondFactors.use(id, code);
      if (isRight && isLimited) wrongCodes.withdraw(id);
      return isRight;
    },
  };
}

function tooMany(retryAfterSeconds: number): GamekeeperError {
  return new GamekeeperError('rate_limited', 'Too many failed sign-ins.', { retryAfterSeconds });
}
