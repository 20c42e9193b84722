import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';

export interface UserLimit {
  /** Settles like the work. Throws `rate_limited` if the user has too much of it already. */
  run<T>(username: string, work: () => Promise<T>): Promise<T>;
}

/** Limits how much work of one kind each user may have at once. `what` names it in the plural, for the error. */
export function createUserLimit({ most, what }: { most: number; what: string }): UserLimit {
  const running = new Map<string, number>();
  return {
    async run(username, work) {
      const before = running.get(username) ?? 0;
      if (before >= most)
        throw new GamekeeperError('rate_limited', `You have ${before} ${what} running, which is the limit.`, {
          resolution: 'Wait until one is done.',
          retryAfterSeconds: 1,
        });
      running.set(username, before + 1);
      try {
        return await work();
      } finally {
        const rest = running.get(username)! - 1;
        if (rest > 0) running.set(username, rest);
        else running.delete(username);
      }
    },
  };
}
