import { once } from 'node:events';
import {
  type ClientHttp2Stream,
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { STREAM_WINDOW_BYTES } from '../../../shared/node/link/protocol.ts';
import type { Links } from '../links/links.ts';
import { openOn } from '../relay/daemon-streams.ts';
import {
  ACCEPTED,
  MOST_PEER_STREAMS,
  PEER_HEADERS,
  PEER_SESSION,
  REFUSED,
  withoutPeerHeaders,
} from './peer-protocol.ts';
import type { PeerTokens } from './peer-token.ts';

/** Programs may abort as many requests as they like (serve-session.ts at the daemon's end). */
const RESETS = { streamResetRate: 10_000, streamResetBurst: 100_000 };

const CLOSE_GRACE_MS = 5_000;

/** Takes requests of other replicas for daemons that are connected here. It never passes one on to a third replica. */
export interface PeerServer {
  readonly port: number;
  /** Takes no more requests. Resolves when the answers under way are read, after 5 s at the latest. */
  close(): Promise<void>;
}

export interface PeerServerOptions {
  links: Pick<Links, 'find'>;
  tokens: PeerTokens;
  host: string;
  /** 0: any free port. */
  port: number;
}

/** Rejects if the address cannot be listened on. */
export async function startPeerServer({ links, tokens, host, port }: PeerServerOptions): Promise<PeerServer> {
  const server: Http2Server = createServer({
    maxSessionMemory: PEER_SESSION.maxSessionMemory,
    ...RESETS,
    settings: {
      enableConnectProtocol: true,
      maxConcurrentStreams: MOST_PEER_STREAMS,
      initialWindowSize: STREAM_WINDOW_BYTES,
    },
  });
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.setLocalWindowSize(PEER_SESSION.window);
    session.on('error', () => undefined); // Followed by 'close'.
    session.once('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined); // Followed by 'close'.
    void serve(stream, headers);
  });

  async function serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const isPeer = await tokens.isValid(String(headers[PEER_HEADERS.token] ?? ''));
    if (stream.destroyed || stream.closed) return;
    if (!isPeer) return refuse(stream, REFUSED.unauthenticated);
    const link = links.find(String(headers[PEER_HEADERS.daemon] ?? ''));
    if (!link?.isOpen) return refuse(stream, REFUSED.noLink);
    try {
      forward(stream, openOn(link, withoutPeerHeaders(headers), { endStream: stream.endAfterHeaders }));
    } catch (error) {
      const isBusy = error instanceof GamekeeperError && error.code === 'rate_limited';
      refuse(stream, isBusy ? REFUSED.tooBusy : REFUSED.noLink);
    }
  }

  server.listen({ host, port });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      // Each session lasts until the other replica has read its answers.
      for (const session of sessions) session.close();
      const hurry = setTimeout(() => {
        for (const session of sessions) session.destroy();
      }, CLOSE_GRACE_MS);
      await closed;
      clearTimeout(hurry);
    },
  };
}

function refuse(stream: ServerHttp2Stream, status: number): void {
  stream.respond({ ':status': status }, { endStream: true });
  // The rest of a body is not wanted (RFC 9113, section 8.1).
  if (!stream.endAfterHeaders) stream.close(constants.NGHTTP2_NO_ERROR);
}

/** Joins the stream of another replica to the daemon's. If one side leaves, so does the other. */
function forward(stream: ServerHttp2Stream, onward: ClientHttp2Stream): void {
  onward.on('error', () => undefined); // Followed by 'close'.
  stream.additionalHeaders({ ':status': ACCEPTED });
  if (!stream.endAfterHeaders) pass(stream, onward);
  onward.once('response', (answer) => {
    if (stream.destroyed || stream.closed) return;
    stream.respond(withoutPeerHeaders(answer));
    if (stream.writableEnded) onward.resume();
    else pass(onward, stream);
  });
  stream.once('close', () => close(onward, stream.rstCode));
  onward.once('close', () => {
    if (!stream.writableEnded || onward.rstCode !== constants.NGHTTP2_NO_ERROR) close(stream, onward.rstCode);
  });
}

type Either = ServerHttp2Stream | ClientHttp2Stream;

/** Not by `pipeline`: an answer may come before the end of the body, and a stream that was reset ends like a complete one. */
function pass(from: Either, to: Either): void {
  from.pipe(to, { end: false });
  from.once('end', () => {
    if (from.rstCode === constants.NGHTTP2_NO_ERROR) to.end();
    else close(to, from.rstCode);
  });
}

function close(stream: Either, code: number): void {
  if (stream.closed || stream.destroyed) return;
  stream.close(code === constants.NGHTTP2_NO_ERROR ? constants.NGHTTP2_CANCEL : code);
}
