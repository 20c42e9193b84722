import type { PortChange, PortConflict, PortUse } from '../../../shared/domain/instance/port-use.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Log } from '../own-process/process-log.ts';
import type { Upstream } from '../upstream.ts';

export interface PortLease {
  readonly held: readonly PortUse[];
  /** Leases these in place of those held. Returns the conflict if another instance has one of them; nothing changes then. */
  take(ports: PortUse[]): Promise<PortConflict | null>;
  /** Asks the daemon for a change that resolves a conflict about this port; `undefined`: it knows none, or there is no daemon. */
  suggest(taken: PortUse): Promise<PortChange | undefined>;
  release(): void;
}

/** `former`: held by the former supervisor. Without a daemon, every lease succeeds: a restart after a crash must not depend on it. */
export function createPortLease(
  daemon: Pick<Upstream, 'leasePorts' | 'suggestPort' | 'releasePorts'>,
  log: Log,
  former: readonly PortUse[] = [],
): PortLease {
  let held = former;
  return {
    get held() {
      return held;
    },
    async take(ports) {
      try {
        const conflict = await daemon.leasePorts(ports);
        if (!conflict) held = ports;
        return conflict;
      } catch (error) {
        if (!(error instanceof GamekeeperError) || error.code !== 'daemon_unavailable') throw error;
        held = ports; // the next daemon sees them in the status
        return null;
      }
    },
    async suggest(taken) {
      try {
        return (await daemon.suggestPort(taken)) ?? undefined;
      } catch (error) {
        log('info', 'no other port could be found', { error });
        return undefined;
      }
    },
    release() {
      if (held.length === 0) return;
      held = [];
      // If the daemon is lost, so are its leases, and the next daemon sees that no port is held.
      daemon.releasePorts().catch((error: unknown) => log('info', 'the ports could not be released', { error }));
    },
  };
}
