import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { SecureContextOptions } from 'node:tls';

// Not imported: an ES import of node:http resolves every lazy export, which loads undici and costs 18 ms at the start.
const http = process.getBuiltinModule('node:http');

/** Longer than the usual minute of reverse proxies, which must close idle connections first. */
const KEEP_ALIVE_MS = 72_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** Enough for a body of 1 MiB on the slowest line. */
const REQUEST_TIMEOUT_MS = 120_000;
/** How often both timeouts are checked, and by how much they may be exceeded. */
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

/**
 * Creates the HTTP server of a listener. Requests that Node would otherwise answer itself, without our error body, go to `handler`. `upgrades`:
 * what a connection can become.
 */
export function createHttpServer(
  handler: Handler,
  tls: TlsMaterial | undefined,
  upgrades: readonly string[] = ['websocket'],
): Server {
  const options = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    // Our own check refuses a request without Host.
    requireHostHeader: false,
    // Other upgrades (curl offers h2c) are ignored, and the request is served as HTTP/1.1.
    shouldUpgradeCallback: ({ headers }: IncomingMessage) => upgrades.includes(headers.upgrade?.toLowerCase() ?? ''),
  };
  const server = tls
    ? process
        .getBuiltinModule('node:https')
        .createServer({ ...options, ...tlsOptions(tls), handshakeTimeout: HANDSHAKE_TIMEOUT_MS }, handler)
    : http.createServer(options, handler);
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', handler);
  return server;
}
