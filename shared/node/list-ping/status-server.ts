import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type ConnectionLimits, LimitedConnections } from './connection-limits.ts';
import { decodeHandshake, decodeLoginStart, type Handshake } from './handshake.ts';
import { decodeFrame, encodeFrame, encodeText, type Frame } from './packets.ts';
import { legacyStatus, type ServerStatus, statusJson } from './status.ts';

/** The message for a player who wants to join, and what happens after it was sent. */
export interface Farewell {
  readonly message: string;
  readonly afterwards?: () => void;
}

export interface StatusServerOptions {
  /** The address to listen on; `undefined`: all addresses. */
  readonly host: string | undefined;
  readonly port: number;
  readonly limits: ConnectionLimits;
  /** Returns the status, or `undefined` to close the connection. `protocol` is the client's, absent if it is older than 1.7. */
  readonly status: (protocol?: number) => ServerStatus | undefined;
  /** Called when a player with this name wants to join. */
  readonly onLogin: (name: string) => Farewell | Promise<Farewell>;
}

export interface StatusServer {
  readonly port: number;
  /** Resolves when the port is free again. */
  close(): Promise<void>;
}

/**
 * Serves the port of a game that is not running: answers status requests of all client versions, sends a message to players who want to
 * join, and closes every other connection. Rejects with the socket's error if the port cannot be opened.
 */
export async function openStatusServer(options: StatusServerOptions): Promise<StatusServer> {
  const connections = new LimitedConnections(options.limits);
  const server = createServer((socket) => {
    // 'close' follows.
    socket.on('error', () => {});
    if (connections.admit(socket)) answerClient(socket, options);
  });
  server.listen({ host: options.host, port: options.port, exclusive: true });
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      connections.close();
      await closed;
    },
  };
}

/** A handshake has some KiB if a proxy adds data to its address. All other packets are shorter. */
const LONGEST_PACKET = 8192;
const LEGACY_PING = 0xfe;

/** Answers one client of a game that is not running, from the first byte on. */
export function answerClient(
  socket: Socket,
  { status, onLogin }: Pick<StatusServerOptions, 'status' | 'onLogin'>,
): void {
  let handshake: Handshake | undefined;
  let hasStatus = false;
  let unread: Buffer = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    if (socket.writableEnded) return; // the last answer is sent
    unread = Buffer.concat([unread, bytes]);
    if (!handshake && unread[0] === LEGACY_PING) {
      const known = status();
      if (known) socket.write(legacyStatus(known, unread.length > 1 ? 'modern' : 'ancient'));
      socket.destroySoon();
      return;
    }
    try {
      for (let frame = next(); frame; frame = next()) take(frame);
    } catch {
      // Vanilla closes the connection as well.
      socket.destroy();
    }
  });

  function next(): Frame | undefined {
    const frame = hasEnded() || socket.isPaused() ? undefined : decodeFrame(unread, LONGEST_PACKET);
    if (frame) unread = frame.rest;
    return frame;
  }

  function hasEnded(): boolean {
    return socket.destroyed || socket.writableEnded;
  }

  function take({ id, body }: Frame): void {
    if (!handshake && id === 0) {
      handshake = decodeHandshake(body);
    } else if (handshake?.next === 'status' && id === 0 && body.length === 0 && !hasStatus) {
      // Only once: a request has two bytes and its answer up to 33 KB, which would pile up if the client does not read.
      hasStatus = true;
      const known = status(handshake.protocol);
      if (known) socket.write(encodeFrame(0, encodeText(statusJson(known))));
      else socket.destroy();
    } else if (handshake?.next === 'status' && id === 1 && body.length === 8) {
      socket.end(encodeFrame(1, body));
    } else if (handshake?.next === 'login' && id === 0) {
      const name = decodeLoginStart(body);
      socket.pause(); // nothing else is needed
      void sayFarewell(name);
    } else {
      socket.destroy();
    }
  }

  async function sayFarewell(name: string): Promise<void> {
    try {
      const { message, afterwards } = await onLogin(name);
      // `afterwards` runs even if the player has disconnected.
      socket.end(encodeFrame(0, encodeText(JSON.stringify({ text: message }))), () => afterwards?.());
      socket.resume(); // otherwise its end is not noticed
    } catch {
      // `onLogin` reports the failure.
      socket.destroy();
    }
  }
}
