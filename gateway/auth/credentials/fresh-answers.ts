/** For who remembers what the daemon answered: an answer that a change has overtaken on its way must not be remembered. */
export interface FreshAnswers {
  /**
   * Asks, and asks again when something has changed meanwhile. `keep` is called with the answer that still holds, in the same turn of
   * the event loop in which that was found.
   */
  ask<T, R>(question: () => Promise<T>, keep: (answer: T) => R): Promise<R>;
  /** What is under way may be out of date. */
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
