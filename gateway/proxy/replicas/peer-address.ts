import { isIPv6 } from 'node:net';
import { hostname } from 'node:os';

/** Where other replicas reach this process. */
export interface PeerAddress {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Absent: made from host and port. */
  url: string | undefined;
}

const HTTP_PORT = 80;
/** Addresses that mean all of this machine. Others reach it by its name, as containers do. */
const ALL = ['0.0.0.0', '::'];

/** Returns the address of one of several workers on this machine, the first of which is number 1. */
export function addressOfWorker({ host, port, url }: PeerAddress, number: number): PeerAddress {
  if (port === 0) return { host, port, url };
  return { host, port: port + number - 1, url: url && withPort(url, number) };
}

function withPort(url: string, number: number): string {
  const own = new URL(url);
  own.port = String(Number(own.port || HTTP_PORT) + number - 1);
  return own.origin;
}

/** Returns the address for the other replicas. `port`: the one that is listened on. */
export function peerUrl({ host, url }: PeerAddress, port: number): string {
  if (url !== undefined) return url;
  const name = ALL.includes(host) ? hostname() : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}
