import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** How long a request waits for the one before it to stop, which was asked to. Milliseconds. */
const RELEASED_WITHIN_MS = 5_000;

interface Held {
  /** Asks the holder to stop. */
  release: () => Promise<void> | void;
  released: Promise<void>;
  unlock: () => void;
}

/** A lock as @tus/server wants it. */
interface UploadLock {
  lock(signal: AbortSignal, requestRelease: () => Promise<void> | void): Promise<void>;
  unlock(): Promise<void>;
}

/**
 * One request at a time for each upload. A later one makes the one before it stop: after a change of network, a client continues while its former
 * connection still seems open. The package's own locker looks again and again, as fast as it can, until the lock is free.
 */
export class UploadLocks {
  readonly #held = new Map<string, Held>();

  newLock(id: string): UploadLock {
    return {
      lock: async (signal, requestRelease) => {
        const former = this.#held.get(id);
        if (former) await stopped(former, signal);
        if (this.#held.has(id))
          throw new GamekeeperError('already_in_progress', 'Another piece of this upload is arriving.', {
            retryAfterSeconds: 1,
          });
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#held.set(id, { release: requestRelease, released: promise, unlock: resolve });
      },
      unlock: async () => {
        this.#held.get(id)?.unlock();
        this.#held.delete(id);
      },
    };
  }
}

async function stopped({ release, released }: Held, signal: AbortSignal): Promise<void> {
  const enough = AbortSignal.any([signal, AbortSignal.timeout(RELEASED_WITHIN_MS)]);
  const { promise: tooLong, resolve } = Promise.withResolvers<void>();
  enough.addEventListener('abort', () => resolve(), { once: true });
  await Promise.all([release(), Promise.race([released, tooLong])]);
}
