import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { verifyPassword } from '../../shared/node/password-hash.ts';

/** Each check takes 16 MiB and 0.15 s of a core: these many at once, and these many waiting. */
const MOST_AT_ONCE = 2;
const MOST_WAITING = 32;

/** Checks a password against a stored hash, or against none in the same time. Throws `rate_limited` when too many are waiting. */
export type PasswordCheck = (password: string, stored: string | undefined) => Promise<boolean>;

/** A check that cannot be used to keep every core busy, whoever asks and under whatever names. */
export function passwordCheck(): PasswordCheck {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (password, stored) => {
    if (waiting.length >= MOST_WAITING)
      throw new GamekeeperError('rate_limited', 'Too many sign-ins are being checked.', { retryAfterSeconds: 5 });
    if (running >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await verifyPassword(password, stored);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
