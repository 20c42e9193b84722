import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { isLoopback } from '../../shared/node/loopback.ts';
import type { Settings } from '../../shared/schema/settings.ts';

/** The customer's families A, B and C (reference-api.md, section 4). */
export type Family = 'daemon' | 'versioned' | 'session';
export const FAMILIES: readonly Family[] = ['daemon', 'versioned', 'session'];

/** Ports to take, 0 for any. */
export interface Ports {
  panel: number;
  remote: number;
}

/** One TCP listener: where, and what it serves. */
export interface ListenerPlan {
  name: 'panel' | 'remote';
  host: string;
  /** 0: any free one. */
  port: number;
  /** Speaks TLS. */
  secure: boolean;
  families: readonly Family[];
}

/**
 * Which listeners there are (api.md, Listeners and families): none while Remote Control is off, one where both ports are equal,
 * else two. Throws `invalid_request` for an address that others could reach without TLS, unless that was asked for.
 */
export function planListeners(
  { enabled, host, tls, insecure }: Settings['remoteControl'],
  ports: Ports,
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
  const common = { host, secure: tls !== undefined };
  if (ports.panel === ports.remote && ports.panel !== 0)
    return [{ name: 'panel', port: ports.panel, families: FAMILIES, ...common }];
  return [
    { name: 'panel', port: ports.panel, families: ['daemon', 'session'], ...common },
    { name: 'remote', port: ports.remote, families: ['versioned'], ...common },
  ];
}

/** Whether what listens as `one` says does so as `other` says, too. */
export function isSamePlan(one: ListenerPlan, other: ListenerPlan): boolean {
  return (
    one.name === other.name &&
    one.host === other.host &&
    one.port === other.port &&
    one.secure === other.secure &&
    one.families.length === other.families.length
  );
}
