import type { WebSocket } from 'ws';
import { rightsOn } from '../../shared/domain/access/rights.ts';
import type { Credentials } from '../auth/credentials/credentials.ts';
import { watchCredential } from '../auth/credentials/watch-credential.ts';
import type { Identity } from '../auth/identity.ts';

/** Finds dead connections: a socket is closed after two pings without an answer. */
const PING_EVERY_MS = 30_000;
const MOST_MISSED_PONGS = 2;
/** Close codes of RFC 6455 section 7.4.1 and the IANA registry. */
const POLICY_VIOLATION = 1008;
const SERVICE_RESTART = 1012;
const CLOSE_GRACE_MS = 500;

export interface OpenSocket {
  /** The caller with its present rights, which may change while the socket is open. */
  readonly identity: Identity;
  readonly instance: string;
}

export interface OpenSockets {
  /** Counts the open sockets that match every given field, without the local administrator's. */
  count(of: { credential?: string; username?: string; instance?: string }): number;
  readonly total: number;
  /**
   * `sent` returns the bytes written to the socket so far. While it grows the client is alive, even if its answer to a ping waits behind a
   * megabyte.
   */
  add(socket: WebSocket, owner: { identity: Identity; instance: string; sent: () => number }): OpenSocket;
  closeAll(): Promise<void>;
}

export interface OpenSocketsOptions {
  credentials: Pick<Credentials, 'onChange' | 'current'>;
  now: () => number;
  pingEveryMs?: number;
}

interface Entry {
  socket: WebSocket;
  identity: Identity;
  instance: string;
  unanswered: number;
  sent: () => number;
  sentAtPing: number;
}

export function createOpenSockets({ credentials, now, pingEveryMs = PING_EVERY_MS }: OpenSocketsOptions): OpenSockets {
  const entries = new Set<Entry>();

  const pinging = setInterval(() => {
    for (const entry of entries) {
      const sent = entry.sent();
      if (sent > entry.sentAtPing) entry.unanswered = 0;
      entry.sentAtPing = sent;
      if (entry.unanswered >= MOST_MISSED_PONGS) entry.socket.terminate();
      else {
        entry.unanswered++;
        entry.socket.ping();
      }
    }
  }, pingEveryMs).unref();

  return {
    get total() {
      return entries.size;
    },
    count({ credential, username, instance }) {
      let count = 0;
      for (const { identity, instance: on } of entries) {
        if (identity.kind === 'local') continue;
        if (credential !== undefined && identity.credential !== credential) continue;
        if (username !== undefined && identity.username !== username) continue;
        if (instance === undefined || on === instance) count++;
      }
      return count;
    },
    add(socket, { identity, instance, sent }) {
      const entry: Entry = { socket, identity, instance, unanswered: 0, sent, sentAtPing: sent() };
      entries.add(entry);
      const stopWatching = watchCredential({
        credentials,
        identity,
        mayStay: (current) => rightsOn(current, instance)?.scopes.has('logs:read') ?? false,
        onChange(current) {
          entry.identity = current;
        },
        onEnd: () => void closeSocket(socket, { code: POLICY_VIOLATION, reason: 'the credential is no longer valid' }),
        now,
      });
      socket.on('pong', () => {
        entry.unanswered = 0;
      });
      socket.once('close', () => {
        entries.delete(entry);
        stopWatching();
      });
      return entry;
    },
    async closeAll() {
      clearInterval(pinging);
      await Promise.all(
        Array.from(entries, ({ socket }) =>
          closeSocket(socket, { code: SERVICE_RESTART, reason: 'Gamekeeper is restarting; reconnect' }),
        ),
      );
    },
  };
}

/** Closes a socket, and terminates it if the client does not answer in time. Resolves when it is closed. */
export function closeSocket(socket: WebSocket, { code, reason }: { code: number; reason: string }): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), CLOSE_GRACE_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.close(code, reason);
  });
}
