/**
 * What the two ends of a link agree on. A link is a WebSocket that the daemon opens to its hosted proxy; HTTP/2 runs over its binary
 * messages, with the daemon as the server, and text messages are for the daemon itself (docs/decisions/0012).
 */

/** `Sec-WebSocket-Protocol`. Another version of the protocol gets another number. */
export const LINK_SUBPROTOCOL = 'gamekeeper-link.1';

/** The path of the WebSocket at the proxy. */
export function linkPath(daemonId: string): string {
  return `/link/${daemonId}`;
}

/** The JWT that a daemon authenticates with: signed by its own key, `iss` and `sub` its id, `aud` the issuer, with a `jti` for one use. */
export const LINK_TOKEN = { alg: 'EdDSA', typ: 'gamekeeper-link+jwt', seconds: 60 } as const;

/** Why the proxy closes a link: RFC 6455, section 7.4.2, leaves 4000 to 4999 to applications. */
export const LINK_CLOSE = {
  /** Another link of the same daemon has taken its place. */
  replaced: 4001,
  /** The daemon was removed from the account. */
  unlinked: 4002,
} as const;

/** Grants that a daemon may ask about in one request. */
export const MOST_GRANTS_ASKED = 500;

/** Requests and sockets of one daemon that may be open at a time. */
export const MOST_STREAMS = 128;

/** What one stream may send before its reader has taken it. A reader that stops holds back its own stream only. */
export const STREAM_WINDOW_BYTES = 256 * 1024;

/** As much as all streams together, so that readers that have stopped never hold back the others. */
export const LINK_WINDOW_BYTES = MOST_STREAMS * STREAM_WINDOW_BYTES;

/** Largest WebSocket message. Ours are smaller; a larger one closes the link. */
export const MAX_MESSAGE_BYTES = 1024 * 1024;
