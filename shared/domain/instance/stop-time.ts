/** A server with a short stop timeout still gets this long after SIGTERM. Seconds. */
const LEAST_GRACE_SECONDS = 10;

/**
 * Returns how long a server may take to save after SIGTERM before it gets SIGKILL, milliseconds: as long as its stop commands had, because a
 * server that does not understand them begins to save only then.
 */
export function stopGraceMs(stopTimeoutSeconds: number): number {
  return Math.max(LEAST_GRACE_SECONDS, stopTimeoutSeconds) * 1000;
}

/** Returns how long a stop can take, milliseconds: the commands, SIGTERM to the server, then SIGTERM to what it left behind. */
export function longestStopMs(stopTimeoutSeconds: number): number {
  return stopTimeoutSeconds * 1000 + 2 * stopGraceMs(stopTimeoutSeconds);
}
