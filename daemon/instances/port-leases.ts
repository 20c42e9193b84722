import type { InstanceEvent } from '../../shared/contract/daemon/instances.ts';
import { firstCollision, type PortConflict, type PortUse } from '../../shared/domain/port-use.ts';
import type { Registry } from './registry.ts';

/** Which instance has which ports: at most one each, from the acceptance of a start until the server has ended. */
export interface PortLeases {
  /** All of them for the instance, in place of what it had; or none, and who has one of them. */
  take(instanceId: string, ports: readonly PortUse[]): PortConflict | null;
  release(instanceId: string): void;
  /** Keeps up with what supervisors show, those included that an earlier daemon has started. Ends with `signal`. */
  follow(signal: AbortSignal): Promise<void>;
}

interface Lease {
  ports: readonly PortUse[];
  /** Its supervisor has shown it, so that it is over as soon as that shows no more. */
  shown: boolean;
}

/** @param own the ports that Gamekeeper itself listens on */
export function createPortLeases(registry: Pick<Registry, 'get' | 'watch'>, own: () => PortUse[]): PortLeases {
  const leases = new Map<string, Lease>();

  function observe(event: InstanceEvent): void {
    if (event.type === 'removed') leases.delete(event.id);
    const changed = event.type === 'changed' ? [event.instance] : event.type === 'snapshot' ? event.instances : [];
    for (const { config, runtime, socket } of changed) {
      const { id } = config;
      if (socket === null) leases.delete(id);
      else if (runtime.ports) leases.set(id, { ports: runtime.ports, shown: true });
      else if (leases.get(id)?.shown) leases.delete(id);
    }
  }

  return {
    take(instanceId, ports) {
      const taken = [...leases].flatMap(([id, lease]) =>
        id === instanceId ? [] : lease.ports.map((port) => ({ ...port, id })),
      );
      const found = firstCollision(ports, taken);
      if (found) {
        const { id, purpose } = found.taken;
        return { wanted: found.wanted, holder: { id, name: registry.get(id).config.name, purpose } };
      }
      const ours = firstCollision(ports, own());
      if (ours) return { wanted: ours.wanted, holder: null };
      leases.set(instanceId, { ports, shown: false });
      return null;
    },
    release: (instanceId) => void leases.delete(instanceId),
    async follow(signal) {
      for await (const event of registry.watch(signal)) observe(event);
    },
  };
}
