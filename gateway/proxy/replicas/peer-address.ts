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

/** Addresses that mean all of this machine. Others reach it by its name, as containers do. */
const ALL = ['0.0.0.0', '::'];

/** Returns the address for the other replicas. `port`: the one that is listened on. */
export function peerUrl({ host, url }: PeerAddress, port: number): string {
  if (url !== undefined) return url;
  const name = ALL.includes(host) ? hostname() : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}
