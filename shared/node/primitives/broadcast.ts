import { AsyncQueue } from './async-queue.ts';

/** Delivers each item to every current subscriber. Subscribers read at their own pace; unread items wait for them. */
export interface Broadcast<T> {
  publish(item: T): void;
  /** Ends every subscription after the items published so far. */
  end(): void;
  /** Returns the items published from this call on, until `signal` fires or the broadcast ends. */
  subscribe(signal: AbortSignal): AsyncIterable<T>;
}

export function createBroadcast<T>(): Broadcast<T> {
  const subscribers = new Set<AsyncQueue<T>>();
  return {
    publish: (item) => {
      for (const queue of subscribers) queue.push(item);
    },
    end: () => {
      for (const queue of subscribers) queue.end();
    },
    subscribe(signal) {
      const queue = new AsyncQueue<T>();
      const leave = () => {
        subscribers.delete(queue);
        signal.removeEventListener('abort', leave);
        queue.end();
      };
      subscribers.add(queue);
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      return read();

      async function* read(): AsyncGenerator<T> {
        try {
          yield* queue;
        } finally {
          leave();
        }
      }
    },
  };
}
