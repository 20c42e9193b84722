import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../../shared/node/loopback.ts';

/** What the settings allow besides the daemon's own address (`remoteControl`). */
export interface Allowed {
  /** With or without port. */
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
}

export interface OwnAddressOptions {
  /** Called on every request; returns a new object after a change. */
  allowed: () => Allowed;
  /** Ports that the daemon listens on. Pages on other ports of this machine are foreign. */
  ports: () => readonly number[];
  tls: boolean;
}

export interface OwnAddress {
  /** Returns true for IP literals, `localhost` and allowed hosts: DNS rebinding can use none of them. */
  isOwnHost(host: string | undefined): boolean;
  /**
   * Returns true for loopback hosts, unless hosts or origins are allowed: those are for proxies in front, which need neither keep the Host
   * header nor add one of their own (the default of nginx).
   */
  isOnlyLocal(host: string | undefined): boolean;
  /** Returns whether a page of this origin may use the cookie in a request to `host`. */
  isOwnOrigin(origin: string, host: string): boolean;
}

const MOST_HOSTS_REMEMBERED = 64;

export function createOwnAddress({ allowed, ports, tls }: OwnAddressOptions): OwnAddress {
  const remembered = new Set<string>();
  const hosts = new Set<string>();
  const origins = new Set<string>();
  let known: Allowed | undefined;

  function follow(now: Allowed): void {
    if (now === known) return;
    known = now;
    for (const set of [remembered, hosts, origins]) set.clear();
    for (const host of now.allowedHosts) hosts.add(host.toLowerCase());
    for (const origin of now.allowedOrigins) origins.add(origin.toLowerCase().replace(/\/$/, ''));
  }

  function isOwnHost(host: string | undefined): boolean {
    if (host === undefined) return false;
    follow(allowed());
    if (remembered.has(host)) return true;
    const name = hostname(host);
    const own =
      name !== undefined &&
      (name === 'localhost' || isIP(name) !== 0 || hosts.has(name) || hosts.has(host.toLowerCase()));
    if (own && remembered.size < MOST_HOSTS_REMEMBERED) remembered.add(host);
    return own;
  }

  function isOwnOrigin(origin: string, host: string): boolean {
    follow(allowed());
    if (origins.has(origin.toLowerCase())) return true;
    const url = URL.parse(origin);
    if (url === null || url.protocol !== (tls ? 'https:' : 'http:')) return false;
    if (url.host === URL.parse(`${url.protocol}//${host}`)?.host) return true;
    const port = url.port === '' ? (tls ? 443 : 80) : Number(url.port);
    return strip(url.hostname) === hostname(host) && ports().includes(port);
  }

  function isOnlyLocal(host: string | undefined): boolean {
    const { allowedHosts, allowedOrigins } = allowed();
    const name = host === undefined ? undefined : hostname(host);
    return name !== undefined && isLoopback(name) && allowedHosts.length === 0 && allowedOrigins.length === 0;
  }

  return { isOwnHost, isOnlyLocal, isOwnOrigin };
}

/**
 * The address of the requests that come over the link: the proxy's. A page of any origin may send them, since no browser adds the token that
 * they need by itself.
 */
export function createProxyAddress(proxyHost: () => string | undefined): OwnAddress {
  return {
    isOwnHost: (host) => host !== undefined && host.toLowerCase() === proxyHost(),
    isOnlyLocal: () => false,
    isOwnOrigin: () => true,
  };
}

/**
 * Returns the host that a request is for: that of an absolute request target (RFC 9112, section 3.2.2), else the Host header. `undefined`
 * if it names none, or more than one (section 3.2).
 */
export function hostOf({ url = '', headers, rawHeaders }: Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>) {
  let named = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === 4 && rawHeaders[index]!.toLowerCase() === 'host') named++;
  if (named > 1) return undefined;
  // "*" is the target of an OPTIONS request for the server as a whole.
  if (url.startsWith('/') || url === '*') return headers.host;
  return authorityOf(url);
}

/** Strict, because a URL parser would repair targets that no client sends. */
function authorityOf(target: string): string | undefined {
  return /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
}

/** Returns the name or address of `name:port` in lower case, IPv6 without brackets; `undefined` if it is not a host. */
function hostname(host: string): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host);
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

function strip(hostnameOfUrl: string): string {
  return hostnameOfUrl.replace(/^\[|\]$/g, '');
}
