import type { Identity } from '../identity.ts';
import type { Credentials } from './credentials.ts';

/** Expiry is checked at this interval and not by one timer, so that a clock that was set forward is noticed. Milliseconds. */
const LOOK_AGAIN_MS = 60_000;

export interface WatchCredentialOptions {
  credentials: Pick<Credentials, 'onChange' | 'current'>;
  identity: Identity;
  /** Returns false if the connection must be closed for this identity. */
  mayStay: (identity: Identity) => boolean;
  onChange: (identity: Identity) => void;
  /** Called when the credential is revoked, expired or no longer sufficient. */
  onEnd: () => void;
  now: () => number;
}

/** Watches the credential of a long-lived connection, which must end with its credential. Returns a function that stops watching. */
export function watchCredential(options: WatchCredentialOptions): () => void {
  const { credentials, mayStay, onChange, onEnd, now } = options;
  let { identity } = options;
  let ended = false;

  async function look(): Promise<void> {
    let current: Identity | undefined;
    try {
      current = await credentials.current(identity, now());
    } catch {
      // The daemon is away. The connection stays open until the daemon can be asked again.
      return;
    }
    if (ended) return;
    if (current && mayStay(current)) {
      identity = current;
      onChange(current);
    } else {
      stop();
      onEnd();
    }
  }

  const stopListening = credentials.onChange((affects) => {
    if (affects(identity)) void look();
  });
  const timer = setInterval(() => {
    if (identity.expiresAt <= now()) void look();
  }, LOOK_AGAIN_MS).unref();

  // What changed since the request was admitted was not heard.
  void look();

  function stop(): void {
    ended = true;
    stopListening();
    clearInterval(timer);
  }
  return stop;
}
