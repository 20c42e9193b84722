import { setTimeout as delay } from 'node:timers/promises';

/** Between two attempts, milliseconds. */
const RETRY_AFTER_MS = 250;

export interface RetryOptions {
  /** Called for the first failure only. */
  onFailure: (error: unknown) => void;
  signal?: AbortSignal;
}

/**
 * Repeats a check of a process or its record until it succeeds. A check may fail for lack of file descriptors; to conclude that the process is
 * gone would start a second game beside the first. Resolves to `undefined` when `signal` fires.
 */
export async function retry<T>(check: () => Promise<T>, { onFailure, signal }: RetryOptions): Promise<T | undefined> {
  for (let failures = 0; !signal?.aborted; failures++) {
    try {
      return await check();
    } catch (error) {
      if (failures === 0) onFailure(error);
    }
    await delay(RETRY_AFTER_MS, undefined, { signal }).catch(() => undefined); // rejects only if aborted
  }
  return undefined;
}
