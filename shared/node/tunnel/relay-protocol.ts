import { isIP } from 'node:net';

/**
 * What the two ends of a relayed tunnel agree on (docs/decisions/0017). The tunnel process holds a WebSocket to the edge, the control link.
 * The edge announces each player on it, and the tunnel process opens a connection of its own for that player. Datagrams of Bedrock players
 * are binary messages of the control link.
 */

/** `Sec-WebSocket-Protocol` of the control link. Another version of the protocol gets another number. */
export const TUNNEL_SUBPROTOCOL = 'gamekeeper-tunnel.1';

/** `Upgrade` of a player's connection: after the answer 101, both directions carry the player's bytes and nothing else. */
export const PLAYER_UPGRADE = 'gamekeeper-player.1';

/** The header of a player's connection that says for whom it is. */
export const TICKET_HEADER = 'x-gamekeeper-ticket';

/**
 * The JWT that opens a control link: signed by the daemon's own key, `iss` and `sub` the daemon's id, `aud` the URL of the tunnel at its edge, so that it
 * is good for one server at one edge.
 */
export const TUNNEL_TOKEN = { alg: 'EdDSA', typ: 'gamekeeper-tunnel+jwt', seconds: 60 } as const;

/** The path of an instance's tunnel at its edge. */
export function tunnelPath(daemonId: string, instance: string): string {
  return `/tunnel/${daemonId}/${instance}`;
}

/** Why the edge closes a control link: RFC 6455, section 7.4.2, leaves 4000 to 4999 to applications. */
export const TUNNEL_CLOSE = {
  /** Another control link of the same server has taken its place. */
  replaced: 4001,
  /** The tunnel was suspended, or its daemon was removed from the account. */
  ended: 4002,
} as const;

/** How long the tunnel process may take to connect for a player. Milliseconds. */
export const MEET_WITHIN_MS = 10_000;

/** Largest message of a control link: a datagram, or a message below. */
export const MOST_CONTROL_BYTES = 80 * 1024;

const TICKET = /^[\w-]{22}$/;
const LARGEST_PORT = 65_535;

/** From the edge: a player waits. A text message, in JSON. */
export interface ToTunnelProcess {
  type: 'player';
  ticket: string;
  /** Of the player. */
  address: string;
  port: number;
}

/** To the edge: the game does not accept the player. */
export interface ToEdge {
  type: 'refused';
  ticket: string;
}

/** Returns the message, or `undefined` for one that this version does not know. */
export function parseToTunnel(text: string): ToTunnelProcess | undefined {
  const { type, ticket, address, port } = fieldsOf(text);
  if (type !== 'player' || !isTicket(ticket) || typeof address !== 'string' || isIP(address) === 0) return undefined;
  if (!Number.isInteger(port) || Number(port) < 0 || Number(port) > LARGEST_PORT) return undefined;
  return { type, ticket, address, port: Number(port) };
}

/** Returns the message, or `undefined` for one that this version does not know. */
export function parseToEdge(text: string): ToEdge | undefined {
  const { type, ticket } = fieldsOf(text);
  return type === 'refused' && isTicket(ticket) ? { type, ticket } : undefined;
}

export function isTicket(value: unknown): value is string {
  return typeof value === 'string' && TICKET.test(value);
}

/** Not zod: it would cost each tunnel process megabytes. */
function fieldsOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
