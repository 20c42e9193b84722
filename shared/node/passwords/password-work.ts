import { GamekeeperError } from '../../errors/gamekeeper-error.ts';
import { createFairQueue } from './fair-queue.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

/** For strangers and known askers each. */
const WAITING = { most: 64, mostOfGroup: 8 };

/** The requester, by whom the queue is kept fair. */
export interface Asker {
  group: string;
  /** Signed in, or signing in from an address where the same user has signed in before. */
  known: boolean;
}

/**
 * Hashes passwords, two at a time (one takes 16 MiB and 0.15 s of a core), so that requests can exhaust neither the cores nor the memory. One
 * of the two places is reserved for known askers, and strangers come first at the other: neither can block the others. Nobody has both places.
 * Throws `rate_limited` if too many are waiting.
 */
export interface PasswordWork {
  /** Checks a password against a stored hash. Takes equally long without one (no such user). */
  check(password: string, stored: string | undefined, asker: Asker): Promise<boolean>;
  hash(password: string, asker: Asker): Promise<string>;
}

interface Task {
  group: string;
  /** Never rejects. */
  run: () => Promise<void>;
  refuse: (error: GamekeeperError) => void;
}

export function createPasswordWork(): PasswordWork {
  const strangers = createFairQueue<Task>(WAITING);
  const known = createFairQueue<Task>(WAITING);
  const busy = new Set<string>();
  const isBusy = (group: string) => busy.has(group);
  const places = [
    { isTaken: false, next: () => known.take(isBusy) },
    { isTaken: false, next: () => strangers.take(isBusy) ?? known.take(isBusy) },
  ];

  function fillPlaces(): void {
    for (const place of places) {
      const task = place.isTaken ? undefined : place.next();
      if (!task) continue;
      place.isTaken = true;
      busy.add(task.group);
      void task.run().then(() => {
        place.isTaken = false;
        busy.delete(task.group);
        fillPlaces();
      });
    }
  }

  function inTurn<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const task = { group: asker.group, run: () => work().then(resolve, reject), refuse: reject };
      const refused = (asker.known ? known : strangers).add(asker.group, task);
      refused?.refuse(
        new GamekeeperError('rate_limited', 'Too many passwords are being checked.', { retryAfterSeconds: 5 }),
      );
      fillPlaces();
    });
  }

  return {
    check: (password, stored, asker) => inTurn(asker, () => verifyPassword(password, stored)),
    hash: (password, asker) => inTurn(asker, () => hashPassword(password)),
  };
}

/** Returns the asker for a user who is signed in. */
export function askerOf({ username }: { username: string }): Asker {
  return { group: `user ${username.toLowerCase()}`, known: true };
}
