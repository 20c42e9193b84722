/** How long an answer is reused. Milliseconds. */
const KEPT_MS = 60_000;
const MOST_KEPT = 200;

/** Keeps answers for a minute, so that identical questions reach the vendor once. Failures are not kept. */
export function createRecentAnswers<T>(now: () => number): (question: string, ask: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, { at: number; answer: T }>();
  return async (question, ask) => {
    const known = kept.get(question);
    if (known && now() - known.at < KEPT_MS) return known.answer;
    const answer = await ask();
    kept.delete(question);
    kept.set(question, { at: now(), answer });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return answer;
  };
}
