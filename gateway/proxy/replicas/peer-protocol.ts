import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { STREAM_WINDOW_BYTES } from '../../../shared/node/link/protocol.ts';

/** Headers between replicas. Neither daemons nor clients see them. */
export const PEER_HEADERS = {
  /** A token of the replica that sends the request (peer-token.ts). */
  token: 'gamekeeper-peer-token',
  /** The daemon that the request is for. */
  daemon: 'gamekeeper-daemon',
} as const;

/** The link takes the request: only now its body is sent. */
export const ACCEPTED = constants.HTTP_STATUS_CONTINUE;

/** Statuses by which a replica refuses a request. The daemon's own come after ACCEPTED. */
export const REFUSED = {
  unauthenticated: constants.HTTP_STATUS_UNAUTHORIZED,
  /** It does not hold the daemon's link. */
  noLink: constants.HTTP_STATUS_MISDIRECTED_REQUEST,
  tooBusy: constants.HTTP_STATUS_TOO_MANY_REQUESTS,
} as const;

/** Requests from one replica to another that may be under way at a time. */
export const MOST_PEER_STREAMS = 4_096;

/** Both ends of a connection between replicas. What waits for slow readers counts as memory. */
export const PEER_SESSION = {
  maxSessionMemory: (MOST_PEER_STREAMS * STREAM_WINDOW_BYTES) / 1024 ** 2,
  window: MOST_PEER_STREAMS * STREAM_WINDOW_BYTES,
} as const;

/** Returns the headers of a request from another replica for the daemon, or those of the daemon for the other replica. */
export function withoutPeerHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const { [PEER_HEADERS.token]: _token, [PEER_HEADERS.daemon]: _daemon, ...rest } = headers;
  return rest;
}
