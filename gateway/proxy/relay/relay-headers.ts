import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { relayedPath } from './relay-target.ts';

/** About one connection (RFC 9110, section 7.6.1); the next connection sets its own. */
const OF_CONNECTION = [
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
/** The proxy's own cookie, and what a client could claim about where it is. */
const NOT_FOR_DAEMON = new Set([
  ...OF_CONNECTION,
  'cookie',
  'forwarded',
  'via',
  'x-real-ip',
  // Each hop of HTTP/2 has its own handshake (RFC 8441, section 5).
  'sec-websocket-key',
]);
/** What would apply to the origin that the accounts are on. */
const NOT_FOR_CLIENT = new Set([
  ...OF_CONNECTION,
  'alt-svc',
  'clear-site-data',
  'nel',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie',
  'strict-transport-security',
]);
const FORWARDED = 'x-forwarded-';
/** Reverse proxies obey these: nginx would send its own files. */
const FOR_REVERSE_PROXY = /^x-(?:accel-|sendfile|lighttpd-)/;
/** A daemon is not trusted: if a browser shows a response of it as a page, that page can do nothing. */
const SANDBOXED = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
} as const;

/** Turns the headers of a daemon's response into those for the client. */
export type AnswerHeaders = (headers: IncomingHttpHeaders) => OutgoingHttpHeaders;

/** Returns the headers of a client's request for its daemon, in lower case. */
export function headersForDaemon(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = namedByConnection(headers);
  return keep(headers, (name) => !NOT_FOR_DAEMON.has(name) && !name.startsWith(FORWARDED) && !named.has(name));
}

/** Returns the headers of a daemon's response for the client. An address at the daemon becomes one at this proxy. */
export function headersForClient(headers: IncomingHttpHeaders, daemonId: string): OutgoingHttpHeaders {
  const kept = keepForClient(headers);
  const { location } = kept;
  return {
    ...kept,
    ...(typeof location === 'string' && location.startsWith('/') && { location: relayedPath(daemonId, location) }),
    ...SANDBOXED,
  };
}

/** Returns what a daemon may say to any client. */
export function keepForClient(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const kept = keep(
    headers,
    (name) => !name.startsWith(':') && !NOT_FOR_CLIENT.has(name) && !FOR_REVERSE_PROXY.test(name),
  );
  // nginx would keep events back until its buffer is full.
  return { ...kept, ...(isEventStream(headers) && { 'x-accel-buffering': 'no' }) };
}

function isEventStream(headers: IncomingHttpHeaders): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

function keep(headers: IncomingHttpHeaders, isKept: (name: string) => boolean): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name)));
}

/** `Connection` may name more headers that are about the connection. */
function namedByConnection({ connection = '' }: IncomingHttpHeaders): Set<string> {
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}
