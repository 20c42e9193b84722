import type { WebSocket } from 'ws';
import type { Identity } from '../auth/identity.ts';

/** Dead connections are found by this; two pings without an answer close the socket (api.md, Console WebSocket). */
const PING_EVERY_MS = 30_000;
const MOST_MISSED_PONGS = 2;
/** Close codes of RFC 6455 section 7.4.1 and the IANA registry. */
const POLICY_VIOLATION = 1008;
const SERVICE_RESTART = 1012;
/** Time for the other end to answer a close. */
const CLOSE_GRACE_MS = 500;

/** One open socket and whose it is. */
export interface OpenSocket {
  /** What its holder may do now; may shrink while the socket is open. */
  identity: Identity;
}

/** Every open WebSocket of this process, by credential. */
export interface OpenSockets {
  count(credential: string): number;
  readonly total: number;
  add(socket: WebSocket, identity: Identity): OpenSocket;
  closeAll(): Promise<void>;
}

export interface OpenSocketsOptions {
  /** Tells when credentials may have changed, with a test for whose. */
  onChange(listener: (affects: (identity: Identity) => boolean) => void): () => void;
  /** The identity as it stands now; `undefined` once its credential is gone. */
  current(identity: Identity, now: number): Promise<Identity | undefined>;
  /** False when the identity may no longer look. */
  mayView(identity: Identity): boolean;
  now: () => number;
}

interface Entry extends OpenSocket {
  socket: WebSocket;
  unanswered: number;
}

export function openSockets({ onChange, current, mayView, now }: OpenSocketsOptions): OpenSockets {
  const entries = new Set<Entry>();

  const end = ({ socket }: Entry) => socket.close(POLICY_VIOLATION, 'the credential has ended');

  async function recheck(entry: Entry): Promise<void> {
    let identity: Identity | undefined;
    try {
      identity = await current(entry.identity, now());
    } catch {
      // The daemon is away: what was allowed before stays so until it can be asked, at the next ping.
      return;
    }
    if (identity && mayView(identity)) entry.identity = identity;
    else end(entry);
  }

  const stopListening = onChange((affects) => {
    for (const entry of entries) if (affects(entry.identity)) void recheck(entry);
  });

  const pinging = setInterval(() => {
    for (const entry of entries) {
      if (entry.unanswered >= MOST_MISSED_PONGS) entry.socket.terminate();
      else if (entry.identity.expiresAt <= now()) void recheck(entry);
      else {
        entry.unanswered++;
        entry.socket.ping();
      }
    }
  }, PING_EVERY_MS).unref();

  return {
    get total() {
      return entries.size;
    },
    count(credential) {
      let count = 0;
      for (const { identity } of entries) if (identity.credential === credential) count++;
      return count;
    },
    add(socket, identity) {
      const entry: Entry = { socket, identity, unanswered: 0 };
      entries.add(entry);
      socket.on('pong', () => {
        entry.unanswered = 0;
      });
      socket.once('close', () => entries.delete(entry));
      return entry;
    },
    async closeAll() {
      stopListening();
      clearInterval(pinging);
      const closing = [...entries].map(
        ({ socket }) =>
          new Promise<void>((resolve) => {
            const timer = setTimeout(() => socket.terminate(), CLOSE_GRACE_MS);
            socket.once('close', () => {
              clearTimeout(timer);
              resolve();
            });
            socket.close(SERVICE_RESTART, 'Gamekeeper restarts; connect again');
          }),
      );
      await Promise.all(closing);
    },
  };
}
