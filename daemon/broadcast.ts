/** Hands each item to everybody who is subscribed at that moment; subscribers read at their own pace. */
export interface Broadcast<T> {
  publish(item: T): void;
  /** Ends every subscription after what was published so far. */
  end(): void;
  /** What is published from this call on, until `signal` fires or the broadcast ends. */
  subscribe(signal: AbortSignal): AsyncIterable<T>;
}

export function createBroadcast<T>(): Broadcast<T> {
  const subscribers = new Set<{ push: (item: T) => void; end: () => void }>();
  return {
    publish: (item) => {
      for (const subscriber of subscribers) subscriber.push(item);
    },
    end: () => {
      for (const subscriber of subscribers) subscriber.end();
    },
    subscribe(signal) {
      const waiting: T[] = [];
      let ended = signal.aborted;
      let wake: () => void = () => undefined;
      const subscriber = {
        push: (item: T) => {
          waiting.push(item);
          wake();
        },
        end: () => {
          ended = true;
          wake();
        },
      };
      const leave = () => {
        subscribers.delete(subscriber);
        signal.removeEventListener('abort', leave);
        subscriber.end();
      };
      subscribers.add(subscriber);
      signal.addEventListener('abort', leave, { once: true });
      return read();

      async function* read(): AsyncGenerator<T> {
        try {
          for (;;) {
            while (waiting.length > 0) yield waiting.shift()!;
            if (ended) return;
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        } finally {
          leave();
        }
      }
    },
  };
}
