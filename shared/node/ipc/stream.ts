import { AsyncQueue } from '../primitives/async-queue.ts';
import type { CallOptions, Stream } from './calls.ts';
import type { Connection } from './connection.ts';

export interface Subscription extends Pick<CallOptions, 'requestId' | 'signal'> {
  path: string;
  input: unknown;
}

/** Returns a subscription, which begins when it is read. Aborting ends it without an error. */
export function openStream(connect: () => Promise<Connection>, subscription: Subscription): Stream<unknown> {
  return {
    forEach: (take) => subscribe(connect, subscription, take),
    [Symbol.asyncIterator]: () => iterate(connect, subscription),
  };
}

async function subscribe(
  connect: () => Promise<Connection>,
  { path, input, requestId, signal }: Subscription,
  take: (item: unknown) => void,
): Promise<void> {
  const connection = await connect();
  signal?.throwIfAborted();
  let stop: () => void = () => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const abort = connection.call(
        { path, input, ...(requestId !== undefined && { requestId }) },
        {
          data(item) {
            if (signal?.aborted) return; // aborted while the same read was processed
            try {
              take(item);
            } catch (error) {
              reject(error);
            }
          },
          end: resolve,
          failed: reject,
        },
      );
      const onAbort = () => resolve();
      signal?.addEventListener('abort', onAbort, { once: true });
      stop = () => {
        signal?.removeEventListener('abort', onAbort);
        abort();
      };
    });
  } finally {
    stop();
  }
}

async function* iterate(connect: () => Promise<Connection>, subscription: Subscription): AsyncGenerator<unknown> {
  const left = new AbortController();
  const signal = subscription.signal ? AbortSignal.any([subscription.signal, left.signal]) : left.signal;
  const items = new AsyncQueue<unknown>();
  const reading = subscribe(connect, { ...subscription, signal }, (item) =>
    items.push(item instanceof Uint8Array ? Buffer.from(item) : item),
  ).finally(() => items.end());
  reading.catch(() => undefined); // awaited below, unless the reader stops before
  try {
    yield* items;
    await reading;
  } finally {
    left.abort();
  }
}
