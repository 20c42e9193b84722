import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Headers about one connection (RFC 9110, section 7.6.1), which the next connection sets itself. */
const OF_CONNECTION = new Set(['connection', 'host', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

/** Returns the headers of an HTTP/2 request for HTTP/1.1. */
export function toRequestHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const { ':authority': host = '' } = headers;
  return { ...withoutConnection(headers), host: String(host) };
}

/** Returns the status and headers of an HTTP/1.1 response for HTTP/2. */
export function toResponseHeaders(status: number, headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return { ':status': status, ...withoutConnection(headers) };
}

function withoutConnection(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !OF_CONNECTION.has(name)),
  );
}
