import type { Job } from '../transport/client.ts';

const listeners = new Set<(job: Job) => void>();

/** Tells of work that has just been done. */
export function tellFinished(job: Job): void {
  for (const listener of listeners) listener(job);
}

/** Hears of work as it is done. Returns how to stop. */
export function onFinished(listener: (job: Job) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
