/**
 * The parent-child channel between the daemon and what it forks. It carries the handshake and heartbeats only: it cannot be rejoined
 * after the parent has died, so nothing else may depend on it.
 */
export type ToParent<Ready> =
  | { type: 'ready'; ready: Ready }
  | { type: 'failed'; code: string; detail: string; resolution: string }
  | { type: 'alive' };

/** Often enough that a hang is noticed in a few seconds, rare enough to cost nothing. */
export const HEARTBEAT_MS = 2_000;

/** Tells the daemon that this process serves, with what it has to say about itself. */
export function reportReady<Ready>(ready: Ready): void {
  send({ type: 'ready', ready });
  setInterval(() => send({ type: 'alive' }), HEARTBEAT_MS).unref();
}

/** Tells the daemon why this process cannot serve. Resolves when the message is out, so that the caller may exit. */
export function reportFailure(failure: { code: string; detail: string; resolution: string }): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) resolve();
    else process.send({ type: 'failed', ...failure }, () => resolve());
  });
}

/** Runs `onLost` once when the daemon has gone, however it went. For processes that must not outlive it. */
export function whenParentIsGone(onLost: () => void): void {
  if (!process.connected) onLost();
  else process.once('disconnect', onLost);
}

function send<Ready>(message: ToParent<Ready>): void {
  // A parent that died between the check and the send makes itself known by 'disconnect'; the callback swallows only that.
  if (process.connected) process.send?.(message, () => undefined);
}
