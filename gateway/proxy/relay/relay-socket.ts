import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type ClientHttp2Stream, constants, type OutgoingHttpHeaders } from 'node:http2';
import { type Duplex, pipeline } from 'node:stream';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { lostError } from './offline-error.ts';
import type { AnswerHeaders } from './relay-headers.ts';

/** RFC 6455, section 1.3. */
const HANDSHAKE_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const KEY = /^[+/0-9A-Za-z]{22}==$/;
/** A refusal is an ErrorResponse. */
const MOST_REFUSAL_BYTES = 64 * 1024;

export interface RelaySocketOptions {
  /** Returns the headers for the client. */
  answerHeaders: AnswerHeaders;
  /** To the daemon: the head of an extended CONNECT (RFC 8441) was sent. */
  stream: ClientHttp2Stream;
  leave: () => void;
  refuse: (error: GamekeeperError) => void;
}

/** What `node:http` reports for a request for an upgrade. */
export interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  /** What the client has sent already after its request. */
  head: Buffer;
}

/** Throws `invalid_request` if a request is no handshake of a WebSocket. Returns its key. */
export function handshakeKey({ method, headers }: IncomingMessage): string {
  const key = headers['sec-websocket-key'];
  if (method === 'GET' && key !== undefined && KEY.test(key)) return key;
  throw new GamekeeperError('invalid_request', 'This is not a valid WebSocket handshake.');
}

/** Passes a WebSocket to a daemon. The bytes after the handshake are not looked at. */
export function relaySocket({ request, socket, head }: Upgrade, options: RelaySocketOptions): void {
  const { answerHeaders, stream, leave, refuse } = options;
  const key = handshakeKey(request);
  let answered: 'accepted' | 'refused' | undefined;
  stream.on('error', () => undefined); // Followed by 'close'.
  stream.once('response', (answer) => {
    answered = answer[':status'] === 200 ? 'accepted' : 'refused';
    if (answered === 'refused') {
      void passRefusal(socket, stream, { status: String(answer[':status']), headers: answerHeaders(answer) });
      return;
    }
    socket.write(handshake(key, answerHeaders(answer)));
    if (head.length > 0) socket.unshift(head);
    pipeline(socket, stream, socket, () => undefined);
  });
  const left = () => {
    if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
  };
  // The client may have left already: 'close' does not come twice.
  if (socket.destroyed) left();
  socket.once('close', left);
  stream.once('close', () => {
    leave();
    if (answered === 'accepted') socket.end();
    // The stream closes before the refusal is passed on, which ends the socket.
    else if (!answered) refuse(lostError());
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
  { status, headers }: { status: string; headers: OutgoingHttpHeaders },
): Promise<void> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MOST_REFUSAL_BYTES) throw new Error('The refusal is too long.');
      chunks.push(chunk);
    }
    const head = headOf(status, { ...headers, 'content-length': bytes, connection: 'close' });
    socket.once('finish', () => socket.destroy());
    socket.end(Buffer.concat([Buffer.from(head), ...chunks]));
  } catch {
    socket.destroy();
  }
}

/** HTTP/2 has refused header values with line breaks (RFC 9113, section 8.2.1). */
function headOf(status: string, headers: Record<string, unknown>): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`));
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
}
