import { BlockList, isIP } from 'node:net';
import { GamekeeperError } from '../shared/errors/gamekeeper-error.ts';
import type { Settings } from '../shared/schema/settings.ts';

/** The customer's families A, B and C (reference-api.md, section 4). */
export type Family = 'daemon' | 'versioned' | 'panel';
export const FAMILIES: readonly Family[] = ['daemon', 'versioned', 'panel'];

/** One TCP listener: where, and what it serves. */
export interface ListenerPlan {
  name: 'panel' | 'remote';
  /** 0: any free one. */
  port: number;
  families: readonly Family[];
}

/**
 * Which listeners there are (api.md, Listeners and families): none while Remote Control is off, one where both ports are equal,
 * else two. Throws `invalid_request` for an address that others could reach without TLS, unless that was asked for.
 */
export function planListeners(
  { enabled, host, tls, insecure }: Settings['remoteControl'],
  ports: { panel: number; remote: number },
): ListenerPlan[] {
  if (!enabled) return [];
  if (!isLoopback(host) && !tls && !insecure)
    throw new GamekeeperError(
      'invalid_request',
      `Listening on ${host} without TLS would show passwords and tokens to the network.`,
      {
        resolution:
          'Set remoteControl.tls to a certificate and key, keep the host at 127.0.0.1, or accept the risk with "insecure": true in remoteControl of settings.json.',
      },
    );
  if (ports.panel === ports.remote && ports.panel !== 0)
    return [{ name: 'panel', port: ports.panel, families: FAMILIES }];
  return [
    { name: 'panel', port: ports.panel, families: ['daemon', 'panel'] },
    { name: 'remote', port: ports.remote, families: ['versioned'] },
  ];
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** True for an address that only this machine can reach. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  const version = isIP(host);
  return version !== 0 && LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
