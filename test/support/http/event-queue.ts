/** Delivers published items to every subscriber, each at its own pace. */
export interface EventQueue<T> {
  publish(item: T): void;
  subscribe(signal: AbortSignal): AsyncGenerator<T>;
  readonly subscribers: number;
}

export function eventQueue<T>(): EventQueue<T> {
  const readers = new Set<{ items: T[]; wake: () => void }>();
  return {
    get subscribers() {
      return readers.size;
    },
    publish(item) {
      for (const reader of readers) {
        reader.items.push(item);
        reader.wake();
      }
    },
    subscribe(signal) {
      const reader = { items: [] as T[], wake: (): void => undefined };
      readers.add(reader);
      const end = () => {
        readers.delete(reader);
        reader.wake();
      };
      signal.addEventListener('abort', end, { once: true });
      return (async function* () {
        try {
          for (;;) {
            while (reader.items.length > 0) yield reader.items.shift() as T;
            if (signal.aborted) return;
            await new Promise<void>((resolve) => {
              reader.wake = resolve;
            });
          }
        } finally {
          end();
        }
      })();
    },
  };
}
