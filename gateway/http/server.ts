import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { SecureContextOptions } from 'node:tls';

// Not imported: as an ES module, node:http hands out every lazy export at once, which loads undici and costs a start 18 ms.
const http = process.getBuiltinModule('node:http');

/** A connection without a request is kept this long; longer than the usual minute of proxies in front, which must close first. */
const KEEP_ALIVE_MS = 72_000;
/** Headers are small: whoever needs longer holds a connection on purpose. */
const HEADERS_TIMEOUT_MS = 15_000;
/** A body is at most 1 MiB: enough for the slowest line. */
const REQUEST_TIMEOUT_MS = 120_000;
/** How often both are looked at; by this much they may be exceeded. */
const LOOK_EVERY_MS = 5_000;
/** Some round trips on a slow line. */
const HANDSHAKE_TIMEOUT_MS = 15_000;

export interface TlsMaterial {
  cert: string | Buffer;
  key: string | Buffer;
}

/**
 * What a TLS listener is given, when it is made and whenever the certificate is renewed. No Strict-Transport-Security goes with it: that
 * would bind every other port of the same host, too.
 */
export function tlsOptions(material: TlsMaterial): SecureContextOptions {
  return { ...material, minVersion: 'TLSv1.2' };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The HTTP server of a listener. Answers that Node would give by itself, without our error body, are left to `handler`. */
export function createHttpServer(handler: Handler, tls: TlsMaterial | undefined): Server {
  const options = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: LOOK_EVERY_MS,
    // A request without Host is refused by our own host check.
    requireHostHeader: false,
    // Anything else that asks for an upgrade (curl asks for h2c) is served as the HTTP/1.1 request that it also is.
    shouldUpgradeCallback: (request: IncomingMessage) => request.headers.upgrade?.toLowerCase() === 'websocket',
  };
  const server = tls
    ? process
        .getBuiltinModule('node:https')
        .createServer({ ...options, ...tlsOptions(tls), handshakeTimeout: HANDSHAKE_TIMEOUT_MS }, handler)
    : http.createServer(options, handler);
  // An expectation that we do not know may be ignored (RFC 9110 section 10.1.1).
  server.on('checkExpectation', handler);
  return server;
}
