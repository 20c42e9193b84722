import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { spareUnsentAnswers } from './close-server.ts';

// Not imported: an ES import of node:http resolves every lazy export, which loads undici and costs 18 ms at the start.
const http = process.getBuiltinModule('node:http');

/** Longer than the usual minute of reverse proxies, which must close idle connections first. */
const KEEP_ALIVE_MS = 72_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** Enough for a body of 1 MiB on the slowest line. */
const BODY_TIMEOUT_MS = 120_000;
/** How often the headers' timeout is checked, and by how much it may be exceeded. */
const CHECK_EVERY_MS = 5_000;
const HANDSHAKE_TIMEOUT_MS = 15_000;

export interface TlsMaterial {
  cert: string | Buffer;
  key: string | Buffer;
}

/**
 * Returns the options of a TLS listener, for its creation and for a renewed certificate. Strict-Transport-Security is not sent: it would
 * apply to every other port of the host as well.
 */
export function tlsOptions(material: TlsMaterial): SecureContextOptions {
  return { ...material, minVersion: 'TLSv1.2' };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface HttpServerOptions {
  tls?: TlsMaterial | undefined;
  /** What a connection can become. */
  upgrades?: readonly string[];
  /** How long a body may take to arrive unless it is an upload; 0: any time. Milliseconds. */
  bodyTimeoutMs?: number;
}

/** Creates the HTTP server of a listener. Requests that Node would otherwise answer itself, without our error body, go to `handler`. */
export function createHttpServer(
  handler: Handler,
  { tls, upgrades = ['websocket'], bodyTimeoutMs = BODY_TIMEOUT_MS }: HttpServerOptions = {},
): Server {
  const handle: Handler = (request, response) => {
    if (bodyTimeoutMs > 0) limitBodyTime(server, request, bodyTimeoutMs);
    handler(request, response);
  };
  const options = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    // Node's limit is the same for every request. Ours (limitBodyTime) spares uploads.
    requestTimeout: 0,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    // Our own check refuses a request without Host.
    requireHostHeader: false,
    // Other upgrades (curl offers h2c) are ignored, and the request is served as HTTP/1.1.
    shouldUpgradeCallback: ({ headers }: IncomingMessage) => upgrades.includes(headers.upgrade?.toLowerCase() ?? ''),
  };
  const server: Server = tls
    ? process
        .getBuiltinModule('node:https')
        .createServer({ ...options, ...tlsOptions(tls), handshakeTimeout: HANDSHAKE_TIMEOUT_MS }, handle)
    : http.createServer(options, handle);
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', handle);
  spareUnsentAnswers(server, { secure: tls !== undefined });
  return server;
}

/** The timer that ends the wait for each request's body. */
const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();
/** The timer of the body that each connection brings: Node does not tell a request that was answered early of its connection's end. */
const timersOfConnections = new WeakMap<Socket, NodeJS.Timeout>();

function limitBodyTime(server: Server, request: IncomingMessage, timeoutMs: number): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  if (length === '0' && coding === undefined) return;
  const timer = setTimeout(() => {
    const error = Object.assign(new Error('The body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', error, request.socket);
  }, timeoutMs);
  setBodyTimer(request, timer);
}

/** Has this timer alone end the wait for a body. It is cleared when the body has arrived, or cannot any more. */
export function setBodyTimer(request: IncomingMessage, timer: NodeJS.Timeout): void {
  const { socket } = request;
  clearTimeout(timers.get(request));
  timers.set(request, timer);
  if (!timersOfConnections.has(socket)) socket.once('close', () => clearTimeout(timersOfConnections.get(socket)));
  timersOfConnections.set(socket, timer);
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer));
}
