import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { isLoopback } from '../../shared/node/loopback.ts';
import type { Settings } from '../../shared/schema/settings.ts';

/**
 * The path families: `daemon` are the resources at `/`, `versioned` the same at `/api/v1`, `session` are sign-in, settings, panel and
 * console (`/api`, `/ui`, `/ws`). docs/api.md, Listeners.
 */
export type Family = 'daemon' | 'versioned' | 'session';
export const FAMILIES: readonly Family[] = ['daemon', 'versioned', 'session'];

/** 0: any free port. */
export interface Ports {
  panel: number;
  remote: number;
}

export interface ListenerPlan {
  name: 'panel' | 'remote';
  host: string;
  port: number;
  secure: boolean;
  families: readonly Family[];
}

/**
 * Returns the listeners to open: none while Remote Control is off, one if both ports are equal, else two. Throws `invalid_request` for an
 * address that other machines could reach without TLS, unless `insecure` allows it.
 */
export function planListeners(
  { enabled, host, tls, insecure }: Settings['remoteControl'],
  ports: Ports,
): ListenerPlan[] {
  if (!enabled) return [];
  if (!isLoopback(host) && !tls && !insecure)
    throw new GamekeeperError(
      'invalid_request',
      `Listening on ${host} without TLS would expose passwords and tokens on the network.`,
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

export function isSamePlan(one: ListenerPlan, other: ListenerPlan): boolean {
  return (
    one.name === other.name &&
    one.host === other.host &&
    one.port === other.port &&
    one.secure === other.secure &&
    one.families.length === other.families.length
  );
}
