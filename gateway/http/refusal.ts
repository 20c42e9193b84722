import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { toErrorResponse } from '../../shared/errors/error-response.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { PROBLEM_TYPE, problemHeaders } from './problem.ts';

/**
 * Writes the response to the bare socket, for input that never becomes a request: bytes that are not HTTP, headers that do not end, a bad
 * WebSocket handshake. Then closes the connection. If a response to an earlier request has begun, it only closes the connection.
 */
export function refuseOnSocket(
  socket: Duplex,
  error: GamekeeperError,
  { docsBase, requestId }: { docsBase: string; requestId: string },
): void {
  if (!socket.writable || answerHasBegun(socket)) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(toErrorResponse(error, docsBase));
  const headers = {
    ...problemHeaders(error, false),
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const reason = process.getBuiltinModule('node:http').STATUS_CODES[error.status];
  socket.end(`HTTP/1.1 ${error.status} ${reason}\r\n${head.join('')}\r\n${body}`);
  socket.once('finish', () => socket.destroy());
}

export function clientError(code: string | undefined): GamekeeperError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new GamekeeperError('headers_too_large', 'Request line and headers are larger than 16 KiB.');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new GamekeeperError('body_too_large', 'The chunk extensions of the body are larger than 16 KiB.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new GamekeeperError('request_timeout', 'The request did not arrive in time.');
  return new GamekeeperError('invalid_request', 'This is not a valid HTTP/1.1 request.');
}

/** Node has no public way to ask this; its own error handling does the same. */
function answerHasBegun(socket: Duplex & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}
