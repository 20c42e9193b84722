import { setTimeout as delay } from 'node:timers/promises';

/** Between two looks of which the first has failed, milliseconds: what was lacking is mostly there again in a moment. */
const AGAIN_MS = 250;

export interface LookOptions {
  /** Told of the first failure only. */
  onFailure: (error: unknown) => void;
  signal?: AbortSignal;
}

/**
 * What a look at a process, or at the record of one, finds. One that fails, for want of file descriptors maybe, says nothing about what is
 * there, and to take it for an end would start a second game beside the first: so it is repeated. Resolves to `undefined` when `signal` fires.
 */
export async function retry<T>(look: () => Promise<T>, { onFailure, signal }: LookOptions): Promise<T | undefined> {
  for (let failures = 0; !signal?.aborted; failures++) {
    try {
      return await look();
    } catch (error) {
      if (failures === 0) onFailure(error);
    }
    await delay(AGAIN_MS, undefined, { signal }).catch(() => undefined); // cut short only by the signal
  }
  return undefined;
}
