import { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import { unavailable } from '../store-error.ts';

/** An operation without progress for this long is given up. A slow store may have to sync or scan what it was sent. Milliseconds. */
export const STALL_MS = 120_000;

/** The store may hash, move or assemble for this long without a sign of life: enough for a terabyte at 300 MB/s. Milliseconds. */
const SILENT_MS = 3_600_000;
const SIGN_OF_LIFE_MS = 10_000;

/** After an abort, an operation has this long to clean up. A disk or share that hangs would never finish. Milliseconds. */
const TIDY_MS = 10_000;

export interface Operation {
  /** Aborted when the caller gives up, or when there was no progress for too long. */
  readonly signal: AbortSignal;
  moved(): void;
}

export interface OperationOptions {
  store: string;
  signal: AbortSignal;
  stallMs: number;
  explain(error: unknown): GamekeeperError;
}

/** Runs an operation so that it always ends. All its errors are coded; an abort rejects with the signal's reason. */
export async function runOperation<T>(
  { store, signal, stallMs, explain }: OperationOptions,
  work: (operation: Operation) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const stall = new AbortController();
  const stalled = () => stall.abort(unavailable(store, `has made no progress for ${Math.ceil(stallMs / 1000)} s.`));
  const timer = setTimeout(stalled, stallMs);
  const either = AbortSignal.any([signal, stall.signal]);
  const grace = graceAfter(either);
  try {
    return await Promise.race([work({ signal: either, moved: () => timer.refresh() }), grace.over]);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (stall.signal.aborted) throw stall.signal.reason;
    throw error instanceof GamekeeperError ? error : explain(error);
  } finally {
    clearTimeout(timer);
    grace.end();
  }
}

/** Rejects some time after an abort. */
function graceAfter(signal: AbortSignal): { over: Promise<never>; end(): void } {
  const over = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer = setTimeout(() => over.reject(signal.reason), TIDY_MS);
  };
  signal.addEventListener('abort', begin, { once: true });
  return {
    over: over.promise,
    end() {
      signal.removeEventListener('abort', begin);
      clearTimeout(timer);
    },
  };
}

/** Runs work in the store that takes long without a sign of life, so that it does not count as stalled. */
export async function whileRemoteWorks<T>({ moved }: Operation, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + SILENT_MS;
  const alive = setInterval(() => {
    if (performance.now() < until) moved();
  }, SIGN_OF_LIFE_MS);
  try {
    return await work();
  } finally {
    clearInterval(alive);
  }
}
