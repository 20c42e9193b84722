import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { hashPassword, verifyPassword } from '../../../shared/node/password-hash.ts';

/** One hash takes 16 MiB and 0.15 s of a core. */
const MOST_AT_ONCE = 2;
const MOST_WAITING = 64;
const MOST_WAITING_FOR_ONE = 16;

/**
 * Hashes passwords, a few at a time, so that requests can exhaust neither the cores nor the memory. `asker` identifies the requester: one
 * with many requests cannot block the others. Throws `rate_limited` if too many are waiting.
 */
export interface PasswordWork {
  /** Checks a password against a stored hash. Takes equally long without one (no such user). */
  check(password: string, stored: string | undefined, asker: string): Promise<boolean>;
  hash(password: string, asker: string): Promise<string>;
}

export function createPasswordWork(): PasswordWork {
  const waiting: { asker: string; begin: () => void }[] = [];
  let running = 0;

  async function withSlot<T>(asker: string, work: () => Promise<T>): Promise<T> {
    if (running >= MOST_AT_ONCE) await turn(asker);
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next.begin();
      else running--;
    }
  }

  function turn(asker: string): Promise<void> {
    const own = waiting.filter((entry) => entry.asker === asker).length;
    if (waiting.length >= MOST_WAITING || own >= MOST_WAITING_FOR_ONE)
      throw new GamekeeperError('rate_limited', 'Too many passwords are being checked.', { retryAfterSeconds: 5 });
    return new Promise((begin) => waiting.push({ asker, begin }));
  }

  return {
    check: (password, stored, asker) => withSlot(asker, () => verifyPassword(password, stored)),
    hash: (password, asker) => withSlot(asker, () => hashPassword(password)),
  };
}
