import type { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import type { Store, TransferOptions } from '../store.ts';
import { type Conversation, converse } from './conversation.ts';
import { download, type FarReader, isStored, type Reading } from './far-reader.ts';

/** The half of a store that follows from being able to read. */
export interface ReadableStore extends Pick<Store, 'name' | 'stat' | 'get' | 'verify'> {
  /** Runs an operation that always ends, and rejects with a coded error. */
  converse<T>(signal: AbortSignal, work: (conversation: Conversation) => Promise<T>): Promise<T>;
  reading(how: TransferOptions, conversation: Conversation): Reading;
}

export interface Protocol extends FarReader {
  /** What a failure of this protocol means for the user. */
  explain(error: unknown): GamekeeperError;
}

export function readableStore(name: string, protocol: Protocol, { stallMs }: { stallMs: number }): ReadableStore {
  const store: ReadableStore = {
    name,
    converse: (signal, work) =>
      converse({ store: name, signal, stallMs, explain: (error) => protocol.explain(error) }, work),
    reading: (how, conversation) => ({ store: name, reader: protocol, how, conversation }),
    stat: (key, signal) =>
      store.converse(signal, async (conversation) => {
        const sizeBytes = await protocol.stat(key, conversation.signal);
        return sizeBytes === null ? null : { sizeBytes };
      }),
    get: (key, to, how) =>
      store.converse(how.signal, (conversation) => download({ key, to }, store.reading(how, conversation))),
    verify: (object, how) =>
      store.converse(how.signal, (conversation) => isStored(object, store.reading(how, conversation))),
  };
  return store;
}
