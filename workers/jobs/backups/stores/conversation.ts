import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { unavailable } from './store-error.ts';

/** A store that has not moved for so long is given up: a slow one may have to sync or scan what it was sent. Milliseconds. */
export const STALL_MS = 120_000;

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
  try {
    return await work({ signal: AbortSignal.any([signal, stall.signal]), moved: () => timer.refresh() });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (stall.signal.aborted) throw stall.signal.reason;
    throw error instanceof GamekeeperError ? error : explain(error);
  } finally {
    clearTimeout(timer);
  }
}
