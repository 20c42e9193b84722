import { isIP } from 'node:net';

/** What counts as the daemon's own address. */
export interface OwnAddressOptions {
  /** `remoteControl.allowedHosts`, with or without port. */
  allowedHosts: readonly string[];
  /** `remoteControl.allowedOrigins`. */
  allowedOrigins: readonly string[];
  /** Ports that the daemon listens on; pages on another port of the same machine are strangers. */
  ports: () => readonly number[];
  tls: boolean;
}

export interface OwnAddress {
  /** True for an IP literal, `localhost` and allowed hosts: a name that DNS rebinding could point here is none of them. */
  isOwnHost(host: string | undefined): boolean;
  /** True when a page of this origin may act with the cookie on a request to `host`. */
  isOwnOrigin(origin: string, host: string): boolean;
}

/** How many Host values are remembered; requests use a handful. */
const MOST_HOSTS_REMEMBERED = 64;

export function ownAddress({ allowedHosts, allowedOrigins, ports, tls }: OwnAddressOptions): OwnAddress {
  const hosts = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  const remembered = new Set<string>();

  function isOwnHost(host: string | undefined): boolean {
    if (host === undefined) return false;
    if (remembered.has(host)) return true;
    const name = hostname(host);
    const own =
      name !== undefined &&
      (name === 'localhost' || isIP(name) !== 0 || hosts.has(name) || hosts.has(host.toLowerCase()));
    if (own && remembered.size < MOST_HOSTS_REMEMBERED) remembered.add(host);
    return own;
  }

  function isOwnOrigin(origin: string, host: string): boolean {
    if (origins.has(origin.toLowerCase())) return true;
    const url = URL.parse(origin);
    if (url === null || url.protocol !== (tls ? 'https:' : 'http:')) return false;
    if (url.host === URL.parse(`${url.protocol}//${host}`)?.host) return true;
    const port = url.port === '' ? (tls ? 443 : 80) : Number(url.port);
    return strip(url.hostname) === hostname(host) && ports().includes(port);
  }

  return { isOwnHost, isOwnOrigin };
}

/** The name or address of `name:port`, lower case, an IPv6 address without its brackets. `undefined` for what is no host. */
function hostname(host: string): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host);
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

function strip(hostnameOfUrl: string): string {
  return hostnameOfUrl.replace(/^\[|\]$/g, '');
}
