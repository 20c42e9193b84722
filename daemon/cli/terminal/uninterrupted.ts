/** How a person, a terminal that is closed, or a line that drops ends a command. */
const SIGNALS = ['SIGINT', 'SIGHUP', 'SIGTERM'] as const;

let underWay = 0;

/** Whether something is being done that must not be cut off. */
export function isUninterrupted(): boolean {
  return underWay > 0;
}

/**
 * Does what must not be left half done: signals that would end this process do not until it is through, and what it prints may be lost.
 * `onSignal` is called at the first, to say so. The work has to come to an end by itself.
 */
export async function uninterrupted<T>(work: () => Promise<T>, onSignal: () => void): Promise<T> {
  let isTold = false;
  const goOn = () => {
    if (!isTold) onSignal();
    isTold = true;
  };
  for (const signal of SIGNALS) process.on(signal, goOn);
  underWay++;
  try {
    return await work();
  } finally {
    underWay--;
    for (const signal of SIGNALS) process.off(signal, goOn);
  }
}
