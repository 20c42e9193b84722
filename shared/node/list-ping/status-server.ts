import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type ConnectionLimits, LimitedConnections } from './connection-limits.ts';
import { decodeHandshake, decodeLoginStart, type Handshake } from './handshake.ts';
import { decodeFrame, encodeFrame, encodeText, type Frame } from './packets.ts';
import { legacyStatus, type ServerStatus, statusJson } from './status.ts';

/** What a player who wants to join is told, and what is done once that has been sent. */
export interface Farewell {
  readonly message: string;
  readonly afterwards?: () => void;
}

export interface StatusServerOptions {
  /** Address to listen on; absent: all of them. */
  readonly host: string | undefined;
  readonly port: number;
  readonly limits: ConnectionLimits;
  /**
   * What to tell; undefined while, or because, there is nothing to be told. `protocol` is the client's own, absent where it is older
   * than 1.7.
   */
  readonly status: (protocol?: number) => ServerStatus | undefined;
  /** Somebody of that (plausible) name wants to join. */
  readonly onLogin: (name: string) => Farewell | Promise<Farewell>;
}

export interface StatusServer {
  readonly port: number;
  /** Resolves when the port is free. */
  close(): Promise<void>;
}

/**
 * The port that players connect to, without a game behind it. It answers the server list's ping, of 1.7 and later and of before, turns
 * players away with a kind word, and hangs up on everything else.
 *
 * @throws the socket's error where the port cannot be had
 */
export async function openStatusServer(options: StatusServerOptions): Promise<StatusServer> {
  const connections = new LimitedConnections(options.limits);
  const server = createServer((socket) => {
    // A peer that hangs up hard is its own business; 'close' follows and frees the socket.
    socket.on('error', () => {});
    if (connections.admit(socket)) serve(socket, options);
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

/** A handshake with what proxies put into its address has some KiB; nothing else that we read is longer. */
const LONGEST_PACKET = 8192;
const LEGACY_PING = 0xfe;

function serve(socket: Socket, { status, onLogin }: StatusServerOptions): void {
  let handshake: Handshake | undefined;
  let isTold = false;
  let unread: Buffer = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    if (socket.writableEnded) return; // it has had its last word
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
      // Garbage: vanilla hangs up as well.
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
    } else if (handshake?.next === 'status' && id === 0 && body.length === 0 && !isTold) {
      // Once: a request is two bytes, its answer up to 33 KB, which pile up where nobody reads them.
      isTold = true;
      const known = status(handshake.protocol);
      if (known) socket.write(encodeFrame(0, encodeText(statusJson(known))));
      else socket.destroy();
    } else if (handshake?.next === 'status' && id === 1 && body.length === 8) {
      socket.end(encodeFrame(1, body));
    } else if (handshake?.next === 'login' && id === 0) {
      const name = decodeLoginStart(body);
      socket.pause(); // it has said all that we want to hear
      void sayFarewell(name);
    } else {
      socket.destroy();
    }
  }

  async function sayFarewell(name: string): Promise<void> {
    try {
      const { message, afterwards } = await onLogin(name);
      // A player who has hung up meanwhile has asked for it all the same.
      socket.end(encodeFrame(0, encodeText(JSON.stringify({ text: message }))), () => afterwards?.());
      socket.resume(); // or its end would not be heard
    } catch {
      // Nothing can be said then; whoever was asked reports it.
      socket.destroy();
    }
  }
}
