/** Where players connect to: what they type into Minecraft. */
export interface GameAddress {
  /** A host name, an IPv4 address, or an IPv6 address without brackets. */
  host: string;
  /** Absent: the default of the game, or what an SRV record names. */
  port?: number;
}

const LONGEST_HOST = 253;
const HOST_AND_PORT = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?))\.?(?::(\d{1,5}))?$/i;
const BARE_IPV6 = /^[0-9a-f]*:[0-9a-f:.]+$/i;
const LARGEST_PORT = 65_535;

/** Reads `play.example.net`, `play.example.net:25570`, `203.0.113.7:25565` or `[2001:db8::7]:25565`. Returns `undefined` for anything else. */
export function parseGameAddress(text: string): GameAddress | undefined {
  if (BARE_IPV6.test(text) && text.split(':').length > 2) return { host: text };
  const [, ipv6, name, digits] = HOST_AND_PORT.exec(text) ?? [];
  const host = ipv6 ?? name;
  if (host === undefined || host.length > LONGEST_HOST) return undefined;
  if (digits === undefined) return { host };
  const port = Number(digits);
  return port >= 1 && port <= LARGEST_PORT ? { host, port } : undefined;
}

/** Returns what players type; the port is left out if it is the default of the game. */
export function formatGameAddress({ host, port }: GameAddress, defaultPort?: number): string {
  const shown = host.includes(':') ? `[${host}]` : host;
  return port === undefined || port === defaultPort ? shown : `${shown}:${port}`;
}
