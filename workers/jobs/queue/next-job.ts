export interface Waiting {
  instanceId: string;
}

/**
 * Which job begins next: of the instances that have none running, the one whose last turn is longest ago; its jobs in the order in
 * which they came. So an instance with fifty jobs does not keep the others waiting.
 */
export function nextJob<Job extends Waiting>({
  waiting,
  busy,
  lastTurn,
}: {
  /** In the order in which they came. */
  waiting: readonly Job[];
  busy: ReadonlySet<string>;
  lastTurn: (instanceId: string) => number;
}): Job | undefined {
  let next: Job | undefined;
  for (const job of waiting) {
    if (busy.has(job.instanceId)) continue;
    if (!next || lastTurn(job.instanceId) < lastTurn(next.instanceId)) next = job;
  }
  return next;
}
