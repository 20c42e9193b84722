import type { PortConflict, PortUse } from '../../../shared/domain/port-use.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Log } from '../own-process/process-log.ts';
import type { Upstream } from '../upstream.ts';

/** The ports that the daemon has leased to this instance. */
export interface PortLease {
  readonly held: readonly PortUse[];
  /** Leases these in place of those that are held; else says who has one of them, and everything stays as it was. */
  take(ports: PortUse[]): Promise<PortConflict | null>;
  /** Gives back what is held. */
  release(): void;
}

/** A restart after a crash must not depend on anybody: without a daemon, there is nobody to lease from and to compete with. */
export function createPortLease(daemon: Pick<Upstream, 'leasePorts' | 'releasePorts'>, log: Log): PortLease {
  let held: readonly PortUse[] = [];
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
        held = ports; // shown to the next daemon
        return null;
      }
    },
    release() {
      if (held.length === 0) return;
      held = [];
      // One that is lost meanwhile has nothing to be given back, and the next sees that nothing is held.
      daemon.releasePorts().catch((error: unknown) => log('info', 'the ports could not be given back', { error }));
    },
  };
}
