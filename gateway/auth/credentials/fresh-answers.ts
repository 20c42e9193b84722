/** Guards a cache of the daemon's answers: an answer must not be cached if something changed while it was on its way. */
export interface FreshAnswers {
  /** Asks, and asks again if something changed meanwhile. Calls `keep` in the same turn in which the answer proved to be current. */
  ask<T, R>(question: () => Promise<T>, keep: (answer: T) => R): Promise<R>;
  /** Marks answers that are under way as out of date. */
  changed(): void;
}

export function createFreshAnswers(): FreshAnswers {
  let changes = 0;
  return {
    changed: () => void changes++,
    async ask(question, keep) {
      for (;;) {
        const before = changes;
        const answer = await question();
        if (before === changes) return keep(answer);
      }
    },
  };
}
