/** The signals of Ctrl-C, a closed terminal and a lost connection. */
const SIGNALS = ['SIGINT', 'SIGHUP', 'SIGTERM'] as const;

let running = 0;

/** Returns whether some work is running that must not be interrupted. */
export function isUninterrupted(): boolean {
  return running > 0;
}

/**
 * Runs work that must not be left half done: until it settles, signals do not end this process, and a lost terminal does not either. Calls
 * `onSignal` at the first signal.
 */
export async function uninterrupted<T>(work: () => Promise<T>, onSignal: () => void): Promise<T> {
  let isFirst = true;
  const ignore = () => {
    if (isFirst) onSignal();
    isFirst = false;
  };
  for (const signal of SIGNALS) process.on(signal, ignore);
  running++;
  try {
    return await work();
  } finally {
    running--;
    for (const signal of SIGNALS) process.off(signal, ignore);
  }
}
