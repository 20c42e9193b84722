import type { Identity } from '../identity.ts';
import type { Credentials } from './credentials.ts';

/** Looked at again at least this often, so that a clock that was set forward is noticed. Milliseconds. */
const LOOK_AGAIN_MS = 60_000;

export interface WatchCredentialOptions {
  credentials: Pick<Credentials, 'onChange' | 'current'>;
  identity: Identity;
  /** False when what was opened may not stay open for such an identity. */
  mayStay: (identity: Identity) => boolean;
  /** Told of rights that have changed. */
  onChange: (identity: Identity) => void;
  /** The credential is revoked, expired or not good enough any more. */
  onEnd: () => void;
  now: () => number;
}

/** Watches over what stays open after its request was let in: it must end with the credential that opened it. Returns how to stop. */
export function watchCredential(options: WatchCredentialOptions): () => void {
  const { credentials, mayStay, onChange, onEnd, now } = options;
  let { identity } = options;
  let ended = false;

  async function look(): Promise<void> {
    let current: Identity | undefined;
    try {
      current = await credentials.current(identity, now());
    } catch {
      // The daemon is away. What was allowed stays so until it can be asked again.
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
