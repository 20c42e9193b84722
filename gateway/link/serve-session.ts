import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { LINK_WINDOW_BYTES, MOST_STREAMS, STREAM_WINDOW_BYTES } from '../../shared/node/link/protocol.ts';
import { forwardRequest } from './forward-request.ts';
import { forwardUpgrade } from './forward-upgrade.ts';

/** Node refuses new streams above it. What waits for slow readers counts: a megabyte for each download (archive.ts). */
const SESSION_MEMORY_MIB = 256;

/**
 * A program that aborts its requests must not cost the link. The relay allows 50 requests per second for each account; nghttp2 ends a session
 * after 1,000 resets, and forgets only 33 per second.
 */
const RESETS = { streamResetRate: 1_000, streamResetBurst: 10_000 };

/** Serves HTTP/2 over a connection to the proxy. Each request gets a connection of its own to `serve`, as if its client had opened it. */
export function serveSession(connection: Duplex, serve: (socket: Duplex) => void): ServerHttp2Session {
  // Not imported: most gateways have no link, and need no HTTP/2.
  const { performServerHandshake } = process.getBuiltinModule('node:http2');
  const session = performServerHandshake(connection, {
    maxSessionMemory: SESSION_MEMORY_MIB,
    ...RESETS,
    settings: {
      enableConnectProtocol: true,
      maxConcurrentStreams: MOST_STREAMS,
      initialWindowSize: STREAM_WINDOW_BYTES,
    },
  });
  session.setLocalWindowSize(LINK_WINDOW_BYTES);
  session.on('error', () => undefined); // Followed by 'close'.
  session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => undefined); // Followed by 'close'.
    // Node reports a stream that was reset in the same message only after the reset.
    if (stream.destroyed || stream.closed) return;
    if (headers[':method'] === 'CONNECT') forwardUpgrade(stream, headers, serve);
    else forwardRequest(stream, headers, serve);
  });
  return session;
}
