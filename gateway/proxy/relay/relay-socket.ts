import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import { type Duplex, pipeline } from 'node:stream';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { lostError } from './offline-error.ts';
import { headersForClient } from './relay-headers.ts';
import type { RelayedRequest } from './relayed-request.ts';

/** RFC 6455, section 1.3. */
const HANDSHAKE_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const KEY = /^[+/0-9A-Za-z]{22}==$/;
/** A refusal is an ErrorResponse. */
const MOST_REFUSAL_BYTES = 64 * 1024;

export interface RelaySocketOptions extends RelayedRequest {
  refuse: (error: GamekeeperError) => void;
}

/** What `node:http` reports for a request for an upgrade. */
export interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  /** What the client has sent already after its request. */
  head: Buffer;
}

/** Passes a WebSocket to a daemon by an extended CONNECT (RFC 8441). The bytes after the handshake are not looked at. */
export function relaySocket({ request, socket, head }: Upgrade, options: RelaySocketOptions): void {
  const { link, headers, leave, refuse } = options;
  const key = request.headers['sec-websocket-key'];
  if (request.method !== 'GET' || key === undefined || !KEY.test(key)) {
    leave();
    refuse(new GamekeeperError('invalid_request', 'This is not a valid WebSocket handshake.'));
    return;
  }
  const stream = link.request({ ...headers, ':method': 'CONNECT', ':protocol': 'websocket' }, { endStream: false });
  let answered = false;
  stream.on('error', () => undefined); // Followed by 'close'.
  stream.once('response', (answer) => {
    answered = true;
    if (answer[':status'] !== 200) {
      void passRefusal(socket, stream, { answer, daemonId: link.daemonId });
      return;
    }
    socket.write(handshake(key, headersForClient(answer, link.daemonId)));
    if (head.length > 0) socket.unshift(head);
    pipeline(socket, stream, socket, () => undefined);
  });
  socket.once('close', () => {
    if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
  });
  stream.once('close', () => {
    leave();
    if (answered) socket.end();
    else refuse(lostError());
  });
}

function handshake(key: string, headers: Record<string, unknown>): string {
  const accept = createHash('sha1').update(`${key}${HANDSHAKE_GUID}`).digest('base64');
  return headOf('101 Switching Protocols', {
    ...headers,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-accept': accept,
  });
}

/** Passes on the daemon's refusal of a handshake. */
async function passRefusal(
  socket: Duplex,
  stream: ClientHttp2Stream,
  { answer, daemonId }: { answer: IncomingHttpHeaders; daemonId: string },
): Promise<void> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MOST_REFUSAL_BYTES) throw new Error('The refusal is too long.');
      chunks.push(chunk);
    }
    const headers = { ...headersForClient(answer, daemonId), 'content-length': bytes, connection: 'close' };
    socket.once('finish', () => socket.destroy());
    socket.end(Buffer.concat([Buffer.from(headOf(String(answer[':status']), headers)), ...chunks]));
  } catch {
    socket.destroy();
  }
}

/** HTTP/2 has refused header values with line breaks (RFC 9113, section 8.2.1). */
function headOf(status: string, headers: Record<string, unknown>): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`));
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
}
