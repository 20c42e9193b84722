import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../../shared/node/loopback.ts';

/** Tells the address of a client, for limits and lists. */
export interface ClientAddresses {
  /** For Fastify's `trustProxy`. */
  isTrusted(address: string, hop: number): boolean;
  /** The same for a request that Fastify does not see, such as an upgrade to WebSocket. */
  of(request: IncomingMessage): string;
}

/**
 * With `behindProxy`, a reverse proxy on this machine names the client in the last entry of `X-Forwarded-For`; clients can write what is
 * before it. Nobody else is believed.
 */
export function createClientAddresses({ behindProxy }: { behindProxy: boolean }): ClientAddresses {
  const isTrusted = (address: string, hop: number) => behindProxy && hop === 0 && isLoopback(address);
  return {
    isTrusted,
    of({ socket: { remoteAddress = '' }, headers }) {
      const named = [headers['x-forwarded-for']].flat().at(-1)?.split(',').at(-1)?.trim();
      return isTrusted(remoteAddress, 0) && named ? named : remoteAddress;
    },
  };
}
