import type { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import type { Store, TransferOptions } from '../store.ts';
import { type Operation, runOperation } from './operation.ts';
import { download, isStored, type Reading, type RemoteReader, readPart } from './remote-reader.ts';

/** The half of a store that only needs reading. */
export interface ReadableStore extends Pick<Store, 'name' | 'stat' | 'get' | 'part' | 'verify'> {
  /** Runs an operation that always ends, and rejects with a coded error. */
  runOperation<T>(signal: AbortSignal, work: (operation: Operation) => Promise<T>): Promise<T>;
  reading(how: TransferOptions, operation: Operation): Reading;
}

export interface Protocol extends RemoteReader {
  explain(error: unknown): GamekeeperError;
}

export function createReadableStore(name: string, protocol: Protocol, { stallMs }: { stallMs: number }): ReadableStore {
  const store: ReadableStore = {
    name,
    runOperation: (signal, work) =>
      runOperation({ store: name, signal, stallMs, explain: (error) => protocol.explain(error) }, work),
    reading: (how, operation) => ({ store: name, reader: protocol, how, operation }),
    stat: (key, signal) =>
      store.runOperation(signal, async (operation) => {
        const sizeBytes = await protocol.stat(key, operation.signal);
        return sizeBytes === null ? null : { sizeBytes };
      }),
    get: (key, to, how) =>
      store.runOperation(how.signal, (operation) => download({ key, to }, store.reading(how, operation))),
    part: (part, how) => store.runOperation(how.signal, (operation) => readPart(part, store.reading(how, operation))),
    verify: (object, how) =>
      store.runOperation(how.signal, (operation) => isStored(object, store.reading(how, operation))),
  };
  return store;
}
