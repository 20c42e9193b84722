import type { IncomingMessage } from 'node:http';
import type { IsTrustedProxy } from './trusted-proxies.ts';

/** Tells the address of a client, for limits and lists. */
export interface ClientAddresses {
  /** For Fastify's `trustProxy`. */
  isTrusted(address: string, hop: number): boolean;
  /** The same for a request that Fastify does not see, such as an upgrade to WebSocket. */
  of(request: IncomingMessage): string;
}

/**
 * A trusted reverse proxy names the client in the last entry of `X-Forwarded-For`; clients can write what is before it. Nobody else is
 * believed.
 */
export function createClientAddresses(isTrustedProxy: IsTrustedProxy): ClientAddresses {
  const isTrusted = (address: string, hop: number) => hop === 0 && isTrustedProxy(address);
  return {
    isTrusted,
    of({ socket: { remoteAddress = '' }, headers }) {
      const named = [headers['x-forwarded-for']].flat().at(-1)?.split(',').at(-1)?.trim();
      return isTrusted(remoteAddress, 0) && named ? named : remoteAddress;
    },
  };
}
