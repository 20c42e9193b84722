import { useSyncExternalStore } from 'react';

/** How often relative times are refreshed. Milliseconds. */
const REFRESH_MS = 5_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Returns the current time in milliseconds since the epoch, refreshed every 5 s, the same for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** Returns the time to count from: never before `at` because the clock has not been refreshed since. Both in milliseconds. */
export function notBefore(at: number, time: number): number {
  return at > time && at - time < REFRESH_MS ? at : time;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    tick();
    timer = setInterval(tick, REFRESH_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}
