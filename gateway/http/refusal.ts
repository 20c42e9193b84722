import type { Duplex } from 'node:stream';
import { ERRORS } from '../../shared/errors/catalogue.ts';
import { toErrorResponse } from '../../shared/errors/error-response.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { PROBLEM_TYPE, problemHeaders } from './problem.ts';

/**
 * Answers on the bare socket, for what never becomes a request: bytes that are not HTTP, headers that do not end, a handshake that
 * is not WebSocket. The connection is closed after it.
 */
export function refuseOnSocket(
  socket: Duplex,
  error: GamekeeperError,
  { docsBase, requestId }: { docsBase: string; requestId: string },
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(toErrorResponse(error, docsBase));
  const headers = {
    ...problemHeaders(error, false),
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${error.status} ${ERRORS[error.code].title}\r\n${head.join('')}\r\n${body}`);
  socket.once('finish', () => socket.destroy());
}

/** What Node's HTTP parser found wrong, in words. */
export function clientError(code: string | undefined): GamekeeperError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new GamekeeperError('invalid_request', 'The headers are larger than 16 KiB.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new GamekeeperError('invalid_request', 'The request did not arrive completely in time.');
  return new GamekeeperError('invalid_request', 'What arrived is not a valid HTTP/1.1 request.');
}
