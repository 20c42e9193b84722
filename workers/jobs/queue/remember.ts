/** As many results as ended jobs (queue.ts). */
const MAX_RESULTS = 200;

export function remember<Result>(results: Map<string, Result>, jobId: string, result: Result): void {
  results.set(jobId, result);
  const [oldest] = results.keys();
  if (results.size > MAX_RESULTS && oldest !== undefined) results.delete(oldest);
}
