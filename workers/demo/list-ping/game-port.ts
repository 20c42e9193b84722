import { createServer, type Socket } from 'node:net';
import { listen } from '../listen.ts';
import { decodeHandshake, type NextState } from './handshake.ts';
import { decodeFrame, encodeFrame, encodeText, type Frame } from './packets.ts';
import { legacyStatus, type ServerStatus, statusJson } from './status.ts';

export interface GamePort {
  readonly port: number;
  close(): void;
}

/** Where to listen, and what to tell; undefined while, or because, the server tells nothing. */
export interface GamePortSetting {
  readonly host: string;
  readonly port: number;
  readonly status: () => ServerStatus | undefined;
}

/**
 * The port that players connect to. It answers the server list's ping, of 1.7 and later and of before, turns players
 * away with a kind word, and hangs up on everything else.
 *
 * @throws the socket's error where the port cannot be had
 */
export async function openGamePort({ host, port, status }: GamePortSetting): Promise<GamePort> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, status);
  });
  const bound = await listen(server, { host, port });
  return {
    port: bound,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** As long as vanilla's read timeout. */
const IDLE_MS = 30_000;
/** A handshake with the longest address is about 1 KiB; nothing else that we read is longer. */
const LONGEST_PACKET = 4096;
const LEGACY_PING = 0xfe;
const WELCOME = 'This is a demo server: it has a console, a world and RCON, but no game to join.';

function serve(socket: Socket, status: GamePortSetting['status']): void {
  let state: NextState | 'handshake' = 'handshake';
  let unread: Buffer = Buffer.alloc(0);
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  // A peer that hangs up hard is its own business; 'close' follows and frees the socket.
  socket.on('error', () => {});
  socket.on('data', (bytes: Buffer) => {
    unread = Buffer.concat([unread, bytes]);
    if (state === 'handshake' && unread[0] === LEGACY_PING) {
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
    const frame = socket.destroyed ? undefined : decodeFrame(unread, LONGEST_PACKET);
    if (frame) unread = frame.rest;
    return frame;
  }

  function take({ id, body }: Frame): void {
    const known = status();
    if (state === 'handshake' && id === 0) {
      state = decodeHandshake(body);
    } else if (state === 'status' && id === 0 && body.length === 0 && known) {
      socket.write(encodeFrame(0, encodeText(statusJson(known))));
    } else if (state === 'status' && id === 1 && body.length === 8) {
      socket.end(encodeFrame(1, body));
    } else if (state === 'login' && id === 0) {
      socket.end(encodeFrame(0, encodeText(JSON.stringify({ text: WELCOME }))));
    } else {
      socket.destroy();
    }
  }
}
