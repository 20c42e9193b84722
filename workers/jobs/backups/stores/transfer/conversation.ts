import { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import { unavailable } from '../store-error.ts';

/** A store that has not moved for so long is given up: a slow one may have to sync or scan what it was sent. Milliseconds. */
export const STALL_MS = 120_000;

/** The far end may hash, move or put together for so long without a word: a terabyte at 300 MB/s. Milliseconds. */
const SILENT_MS = 3_600_000;
const SIGN_OF_LIFE_MS = 10_000;

/** An operation that is given up tidies up for so long; a disk or share that hangs never does. Milliseconds. */
const TIDY_MS = 10_000;

/** One operation on a store, as those who carry it out see it. */
export interface Conversation {
  /** Aborts when the caller gives up or the far end has stood still for too long. */
  readonly signal: AbortSignal;
  /** Something came or went. */
  moved(): void;
}

export interface ConversationOptions {
  store: string;
  signal: AbortSignal;
  stallMs: number;
  /** What a failure of this protocol means for the user. */
  explain(error: unknown): GamekeeperError;
}

/** Runs an operation so that it always ends, and so that whatever it throws is coded: the signal's reason where that was aborted. */
export async function converse<T>(
  { store, signal, stallMs, explain }: ConversationOptions,
  work: (conversation: Conversation) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const stall = new AbortController();
  const stalled = () => stall.abort(unavailable(store, `has not moved for ${Math.ceil(stallMs / 1000)} s.`));
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

/** Rejects some time after the abort. */
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

/** Work of the far end that takes its time without a word, and is not given up for that. */
export async function patiently<T>({ moved }: Conversation, work: () => Promise<T>): Promise<T> {
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
