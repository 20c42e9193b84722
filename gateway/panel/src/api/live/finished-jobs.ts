import type { Job } from '../transport/client.ts';

const listeners = new Set<(job: Job) => void>();

export function publishFinishedJob(job: Job): void {
  for (const listener of listeners) listener(job);
}

/** Calls `listener` for each job that succeeds while the panel is open. Returns a function that unsubscribes. */
export function onFinishedJob(listener: (job: Job) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
