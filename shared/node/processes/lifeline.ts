/**
 * Messages from a child process to the daemon over Node's parent-child channel. Only for the handshake and heartbeats: the channel cannot be
 * opened again after the daemon has died.
 */
export type ToParent<Ready> =
  | { type: 'ready'; ready: Ready }
  | { type: 'failed'; code: string; detail: string; resolution: string }
  | { type: 'alive' };

/** Milliseconds. */
export const HEARTBEAT_MS = 2_000;

/** Reports to the daemon that this process serves, with its details. */
export function reportReady<Ready>(ready: Ready): void {
  send({ type: 'ready', ready });
  setInterval(() => send({ type: 'alive' }), HEARTBEAT_MS).unref();
}

/** Reports to the daemon why this process cannot serve. Resolves when the message is sent and the process may exit. */
export function reportFailure(failure: { code: string; detail: string; resolution: string }): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) resolve();
    else process.send({ type: 'failed', ...failure }, () => resolve());
  });
}

/** Runs `onLost` once when the daemon is gone. For processes that must not outlive it. */
export function whenParentIsGone(onLost: () => void): void {
  if (!process.connected) onLost();
  else process.once('disconnect', onLost);
}

function send<Ready>(message: ToParent<Ready>): void {
  // If the parent dies between the check and the send, 'disconnect' follows. The callback ignores that error.
  if (process.connected) process.send?.(message, () => undefined);
}
