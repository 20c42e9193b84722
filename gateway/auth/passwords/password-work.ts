import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { hashPassword, verifyPassword } from '../../../shared/node/password-hash.ts';

/** Each takes 16 MiB and 0.15 s of a core: so many at once, so many waiting, and so many of them for one asker. */
const MOST_AT_ONCE = 2;
const MOST_WAITING = 64;
const MOST_WAITING_FOR_ONE = 16;

/**
 * Hashing, of which nobody can ask for so much that every core or the memory is busy with it. `asker` is whoever the work is done for:
 * one who asks for much cannot keep the others out. Throws `rate_limited` when too much is waiting.
 */
export interface PasswordWork {
  /** Checks a password against a stored hash, or against none (no such user) in the same time. */
  check(password: string, stored: string | undefined, asker: string): Promise<boolean>;
  hash(password: string, asker: string): Promise<string>;
}

export function createPasswordWork(): PasswordWork {
  const waiting: { asker: string; begin: () => void }[] = [];
  let running = 0;

  async function inTurn<T>(asker: string, work: () => Promise<T>): Promise<T> {
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
    check: (password, stored, asker) => inTurn(asker, () => verifyPassword(password, stored)),
    hash: (password, asker) => inTurn(asker, () => hashPassword(password)),
  };
}
