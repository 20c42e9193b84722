import { useSyncExternalStore } from 'react';

/** State of the event stream. While it is not open, the page may show old data. */
export type Connection = 'connecting' | 'open' | 'lost';

let connection: Connection = 'connecting';
const listeners = new Set<() => void>();

export function setConnection(next: Connection): void {
  connection = next;
  for (const listener of listeners) listener();
}

export function getConnection(): Connection {
  return connection;
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, getConnection);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
