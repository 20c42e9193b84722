import type { InstanceEvent } from '../../shared/contract/daemon/instances.ts';
import { firstCollision, type PortConflict, type PortUse } from '../../shared/domain/instance/port-use.ts';
import type { Registry } from './registry.ts';

/** Which instance holds which ports, from the moment its start is accepted until its server has ended. */
export interface PortLeases {
  /** Leases all ports to the instance, instead of those it had. If one is taken, leases none and returns the conflict. */
  take(instanceId: string, ports: readonly PortUse[]): PortConflict | null;
  release(instanceId: string): void;
  /** Updates the leases from the supervisors' reports, including leases made by an earlier daemon. Resolves when `signal` fires. */
  follow(signal: AbortSignal): Promise<void>;
}

interface Lease {
  ports: readonly PortUse[];
  /** The supervisor has reported this lease, so it ends when the supervisor stops reporting it. */
  isReported: boolean;
}

/** `own` returns the ports that Gamekeeper itself listens on. */
export function createPortLeases(registry: Pick<Registry, 'get' | 'watch'>, own: () => PortUse[]): PortLeases {
  const leases = new Map<string, Lease>();

  function observe(event: InstanceEvent): void {
    if (event.type === 'removed') leases.delete(event.id);
    const changed = event.type === 'changed' ? [event.instance] : event.type === 'snapshot' ? event.instances : [];
    for (const { config, runtime, socket } of changed) {
      const { id } = config;
      if (socket === null) leases.delete(id);
      else if (runtime.ports) leases.set(id, { ports: runtime.ports, isReported: true });
      else if (leases.get(id)?.isReported) leases.delete(id);
    }
  }

  return {
    take(instanceId, ports) {
      const taken = [...leases].flatMap(([id, lease]) =>
        id === instanceId ? [] : lease.ports.map((port) => ({ ...port, id })),
      );
      const found = firstCollision(ports, taken);
      if (found) {
        const { id, purpose, label } = found.taken;
        const { name } = registry.get(id).config;
        return { wanted: found.wanted, holder: { id, name, purpose, ...(label !== undefined && { label }) } };
      }
      const ours = firstCollision(ports, own());
      if (ours) return { wanted: ours.wanted, holder: null };
      leases.set(instanceId, { ports, isReported: false });
      return null;
    },
    release: (instanceId) => void leases.delete(instanceId),
    async follow(signal) {
      for await (const event of registry.watch(signal)) observe(event);
    },
  };
}
