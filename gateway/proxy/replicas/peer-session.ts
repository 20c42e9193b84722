import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { STREAM_WINDOW_BYTES } from '../../../shared/node/link/protocol.ts';
import { type StreamRequest, tooBusy } from '../relay/daemon-streams.ts';
import { ACCEPTED, MOST_PEER_STREAMS, PEER_HEADERS, PEER_SESSION, REFUSED } from './peer-protocol.ts';

/** To connect, and for each answer whether the other replica takes a request. */
const ANSWER_WITHIN_MS = 2_000;
const RETRY_AFTER_SECONDS = 2;
const PING_EVERY_MS = 5_000;

/** A connection to another replica. */
export interface PeerSession {
  readonly isOpen: boolean;
  /**
   * Sends the head of a request. `onOpen` gets the stream before any other of its events. Rejects with `proxy_unavailable` if the replica does
   * not answer.
   */
  open(request: StreamRequest & { token: string }, onOpen: (stream: ClientHttp2Stream) => void): Promise<PeerAnswer>;
  close(): void;
}

/**
 * What became of a request: the replica has taken it, or it does not hold the daemon's link, or it cannot have seen it, because it ends or cannot
 * be reached.
 */
export type PeerAnswer = 'opened' | 'no link' | 'not reached';

/** Connects to another replica. Resolves to `undefined` if it cannot be reached within 2 s. */
export async function connectPeer(url: string): Promise<PeerSession | undefined> {
  const session = connect(url, {
    maxSessionMemory: PEER_SESSION.maxSessionMemory,
    settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
  });
  session.on('error', () => undefined); // Followed by 'close'.
  session.once('connect', () => session.setLocalWindowSize(PEER_SESSION.window));
  if (!(await isReady(session))) return undefined;
  pingRegularly(session);
  let streams = 0;
  return {
    get isOpen() {
      return !session.closed && !session.destroyed;
    },
    async open({ daemonId, headers, endStream, token }, onOpen) {
      if (session.closed || session.destroyed) return 'not reached';
      if (streams >= MOST_PEER_STREAMS) throw tooBusy();
      const own = { [PEER_HEADERS.token]: token, [PEER_HEADERS.daemon]: daemonId };
      const stream = session.request({ ...headers, ...own }, { endStream });
      streams++;
      stream.once('close', () => {
        streams--;
      });
      return accepted(stream, onOpen);
    },
    close: () => session.destroy(),
  };
}

/** A replica that lacks WebSockets over HTTP/2 (RFC 8441) is none. */
function isReady(session: ClientHttp2Session): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => session.destroy(), ANSWER_WITHIN_MS);
    session.once('close', () => {
      clearTimeout(timer);
      resolve(false);
    });
    session.once('remoteSettings', ({ enableConnectProtocol }) => {
      clearTimeout(timer);
      if (enableConnectProtocol) resolve(true);
      else session.destroy();
    });
  });
}

/** Ends a connection to a replica that was stopped or cut off, and with it the requests that wait for it. */
function pingRegularly(session: ClientHttp2Session): void {
  let isHeard = true;
  const timer = setInterval(() => {
    if (!isHeard) return session.destroy(new Error('The replica does not answer.'));
    isHeard = false;
    session.ping(() => {
      isHeard = true;
    });
  }, PING_EVERY_MS).unref();
  session.once('close', () => clearInterval(timer));
}

function accepted(stream: ClientHttp2Stream, onOpen: (stream: ClientHttp2Stream) => void): Promise<PeerAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PeerAnswer>();
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), ANSWER_WITHIN_MS);
  const settle = () => {
    clearTimeout(timer);
    stream.off('headers', onHeaders).off('response', onRefusal).off('close', onClose);
  };
  const onHeaders = (headers: IncomingHttpHeaders & IncomingHttpStatusHeader) => {
    if (headers[':status'] !== ACCEPTED) return;
    settle();
    onOpen(stream);
    resolve('opened');
  };
  const onRefusal = (headers: IncomingHttpHeaders & IncomingHttpStatusHeader) => {
    settle();
    stream.close(constants.NGHTTP2_CANCEL);
    if (headers[':status'] === REFUSED.noLink) resolve('no link');
    else reject(headers[':status'] === REFUSED.tooBusy ? tooBusy() : peerUnavailable());
  };
  const onClose = () => {
    settle();
    // The replica has not looked at it (RFC 9113, section 8.7).
    if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) resolve('not reached');
    else reject(peerUnavailable());
  };
  stream.on('error', () => undefined); // Followed by 'close'.
  stream.on('headers', onHeaders).once('response', onRefusal).once('close', onClose);
  return promise;
}

/** Another replica, which holds the daemon's link, cannot be reached. The daemon comes back to a living one by itself. */
export function peerUnavailable(): GamekeeperError {
  return new GamekeeperError(
    'proxy_unavailable',
    'The part of the proxy that this computer is connected to does not answer.',
    {
      resolution: 'Try again in a moment. What the request was to do may have been done.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );
}
