/** RFC 8707: the audiences of access tokens. */
const DAEMON = /^urn:uuid:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** The client of `gamekeeper link`, which every proxy has. */
export const LINK_CLIENT = 'gamekeeper-daemon';
/** Lets it register a daemon with an account. No other client can ask for it. */
export const LINK_SCOPE = 'daemon:link';

/** Returns the resource of a daemon (docs/decisions/0005). */
export function resourceOf(daemonId: string): string {
  return `urn:uuid:${daemonId}`;
}

export function daemonIdOf(resource: string): string | undefined {
  return DAEMON.exec(resource)?.[1];
}

/** Returns the resource of this proxy's own API. */
export function apiOf(issuer: string): string {
  return `${issuer}/api`;
}
