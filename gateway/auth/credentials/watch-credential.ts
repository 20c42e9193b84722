import type { Identity } from '../identity.ts';
import type { Credentials } from './credentials.ts';

/** Expiry is checked this often rather than by one timer, so that a clock that was set forward is noticed. */
const LOOK_AGAIN_MS = 60_000;

export interface WatchCredentialOptions {
  credentials: Pick<Credentials, 'onChange' | 'current'>;
  identity: Identity;
  /** Returns false if what was opened must be closed for this identity. */
  mayStay: (identity: Identity) => boolean;
  onChange: (identity: Identity) => void;
  /** The credential is revoked, expired or no longer sufficient. */
  onEnd: () => void;
  now: () => number;
}

/** Watches the credential of a connection that stays open, which must end with its credential. Returns how to stop. */
export function watchCredential(options: WatchCredentialOptions): () => void {
  const { credentials, mayStay, onChange, onEnd, now } = options;
  let { identity } = options;
  let ended = false;

  async function look(): Promise<void> {
    let current: Identity | undefined;
    try {
      current = await credentials.current(identity, now());
    } catch {
      // The daemon is away: what was allowed stays allowed until it can be asked again.
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

  function stop(): void {
    ended = true;
    stopListening();
    clearInterval(timer);
  }
  return stop;
}
