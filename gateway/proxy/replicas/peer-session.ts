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
   * Sends the head of a request. Resolves to 'opened' once the replica takes it; `onOpen` gets the stream before any other of its events.
   * Resolves to 'no link' if the replica does not hold the daemon's link. Rejects with `proxy_unavailable` if it does not answer.
   */
  open(
    request: StreamRequest & { token: string },
    onOpen: (stream: ClientHttp2Stream) => void,
  ): Promise<'opened' | 'no link'>;
  close(): void;
}

/** Connects to another replica. Rejects with `proxy_unavailable` if it cannot be reached within 2 s. */
export async function connectPeer(url: string): Promise<PeerSession> {
  const session = connect(url, {
    maxSessionMemory: PEER_SESSION.maxSessionMemory,
    settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
  });
  session.on('error', () => undefined); // Followed by 'close'.
  session.once('connect', () => session.setLocalWindowSize(PEER_SESSION.window));
  await ready(session);
  pingRegularly(session);
  let streams = 0;
  return {
    get isOpen() {
      return !session.closed && !session.destroyed;
    },
    async open({ daemonId, headers, endStream, token }, onOpen) {
      if (session.closed || session.destroyed) throw peerUnavailable();
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
function ready(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => session.destroy(), ANSWER_WITHIN_MS);
    session.once('close', () => {
      clearTimeout(timer);
      reject(peerUnavailable());
    });
    session.once('remoteSettings', ({ enableConnectProtocol }) => {
      clearTimeout(timer);
      if (enableConnectProtocol) resolve();
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

function accepted(
  stream: ClientHttp2Stream,
  onOpen: (stream: ClientHttp2Stream) => void,
): Promise<'opened' | 'no link'> {
  const { promise, resolve, reject } = Promise.withResolvers<'opened' | 'no link'>();
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
    reject(peerUnavailable());
  };
  stream.on('error', () => undefined); // Followed by 'close'.
  stream.on('headers', onHeaders).once('response', onRefusal).once('close', onClose);
  return promise;
}

/** Another replica, which holds the daemon's link, cannot be reached. The daemon comes back to a living one by itself. */
function peerUnavailable(): GamekeeperError {
  return new GamekeeperError(
    'proxy_unavailable',
    'The part of the proxy that this computer is connected to does not answer.',
    {
      resolution: 'Try again in a moment. What the request was to do may have been done.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );
}
