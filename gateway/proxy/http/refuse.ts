import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorResponse, toErrorResponse } from '../../../shared/errors/error-response.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { isDatabaseAway } from '../store/database.ts';
import { databaseAway } from './database-away.ts';

/** How long a client may take to read an answer before its connection closes. */
const LINGER_MS = 2_000;

export interface RefuseOptions {
  /** The base of links to the explanations of errors. */
  issuer: string;
  requestId: string;
  /** Added to the body (RFC 9457, section 3.2). */
  extension?: Record<string, string>;
}

/** Returns the token of an `Authorization` header; `undefined` if there is none. */
export function bearerOf({ headers }: IncomingMessage): string | undefined {
  return /^Bearer +([^ ]+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** Answers a request with an error, and closes the connection if its body has not arrived. */
export function refuse(response: ServerResponse, error: unknown, options: RefuseOptions): void {
  const { status, headers, body } = render(toGamekeeperError(error), options);
  const { req } = response;
  response.writeHead(status, req.complete ? headers : { ...headers, connection: 'close' });
  response.end(body);
  if (req.complete) return;
  // The rest of the body is not wanted. The client gets a moment to read the answer.
  const timer = setTimeout(() => req.socket.destroy(), LINGER_MS);
  req.socket.once('close', () => clearTimeout(timer));
}

/** Answers a request for an upgrade with an error, and closes the connection. */
export function refuseUpgrade(socket: Duplex, error: unknown, options: RefuseOptions): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = render(toGamekeeperError(error), options);
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

function render(error: GamekeeperError, { issuer, requestId, extension }: RefuseOptions) {
  const body = JSON.stringify({ ...toErrorResponse(error, issuer), ...extension } satisfies ErrorResponse);
  const { status, retryAfterSeconds } = error;
  const headers: Record<string, string | number> = {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    ...(status === 401 && { 'www-authenticate': 'Bearer error="invalid_token"' }),
    ...(retryAfterSeconds !== undefined && { 'retry-after': Math.ceil(retryAfterSeconds) }),
  };
  return { status, headers, body };
}

function toGamekeeperError(error: unknown): GamekeeperError {
  if (error instanceof GamekeeperError) return error;
  if (isDatabaseAway(error)) return databaseAway(error);
  return new GamekeeperError('internal_error', 'An internal error occurred.', { cause: error });
}
