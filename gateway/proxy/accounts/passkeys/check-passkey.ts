import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { addressGroup } from '../../../../shared/node/address-group.ts';
import { createFailureLimit } from '../../../../shared/node/passwords/failure-limit.ts';
import type { Account } from '../accounts.ts';
import type { Audit } from '../audit.ts';
import type { Passkeys } from './passkeys.ts';

/** Per address group, as for passwords (sign-in.ts). */
const MOST_FAILURES = 50;
const WINDOW_MS = 15 * 60_000;

export const WRONG_PASSKEY = 'That passkey did not work. Try again, or sign in another way.';

/**
 * Checks what a passkey has signed: JSON, from a form. Resolves to the account, or `undefined` if it is wrong. Throws `rate_limited` after too
 * many failures.
 */
export type CheckPasskey = (response: string, address: string) => Promise<Account | undefined>;

export interface CheckPasskeyOptions {
  passkeys: Passkeys;
  audit: Audit;
  /** Milliseconds. */
  now: () => number;
}

export function createCheckPasskey({ passkeys, audit, now }: CheckPasskeyOptions): CheckPasskey {
  const failures = createFailureLimit({ most: MOST_FAILURES, windowMs: WINDOW_MS });
  return async (response, address) => {
    const group = addressGroup(address);
    const seconds = failures.attempt(group, now());
    if (seconds > 0)
      throw new GamekeeperError('rate_limited', 'Too many failed sign-ins.', { retryAfterSeconds: seconds });
    const used = await passkeys.use(parsed(response));
    if (used?.isCopied) await audit.record({ account: used.account, action: 'passkey.refused', address });
    if (!used || used.isCopied) return undefined;
    failures.withdraw(group);
    return used.account;
  };
}

/** `undefined` if it is not JSON. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
