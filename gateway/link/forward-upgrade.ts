import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { type Duplex, pipeline } from 'node:stream';
import { beginAnswer } from './begin-answer.ts';
import { open, sendResponse } from './forward-request.ts';
import { toResponseHeaders } from './forwarded-headers.ts';

const KEY_BYTES = 16;

/**
 * Opens a WebSocket for an extended CONNECT (RFC 8441), which the gateway sees as an ordinary upgrade. HTTP/2 has no key for the handshake
 * (section 5), so this makes one.
 */
export function forwardUpgrade(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  serve: (socket: Duplex) => void,
): void {
  if (headers[':protocol'] !== 'websocket') {
    beginAnswer(stream, { ':status': 501 }, { endStream: true });
    return;
  }
  const added = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': randomBytes(KEY_BYTES).toString('base64'),
  };
  const request = open(stream, { method: 'GET', headers, added }, serve);
  if (!request) return;
  request.once('response', (response) => sendResponse(stream, response));
  request.once('upgrade', (response, socket, head) => {
    const { 'sec-websocket-accept': _, ...rest } = response.headers;
    if (!beginAnswer(stream, toResponseHeaders(200, rest))) {
      socket.destroy();
      return;
    }
    if (head.length > 0) socket.unshift(head);
    pipeline(stream, socket, stream, () => undefined);
  });
  request.end();
}
