import { canSee, type Holder } from '../../shared/domain/access/rights.ts';
import { firstCollision, type PortUse, portName } from '../../shared/domain/instance/port-use.ts';
import type { ConfiguredPort } from '../../shared/schema/ports.ts';
import type { Daemon } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';

export interface PortsService {
  /** Returns the ports that the instances which `by` can see are set to use. */
  list(by: Holder): Promise<ConfiguredPort[]>;
  /**
   * Returns a warning for each port of an instance that another one is set to use as well; `undefined`: there is none. It names the other
   * one, so it is for administrators, who see every instance.
   */
  warnings(instanceId: string): Promise<string[] | undefined>;
}

export function createPortsService({ daemon, view }: { daemon: Daemon; view: InstanceView }): PortsService {
  async function all(): Promise<(PortUse & { instanceId: string })[]> {
    const configured = await daemon.call.configuredPorts();
    return configured.flatMap(({ instanceId, ports }) => ports.map((port) => ({ instanceId, ...port })));
  }

  return {
    list: async (by) => (await all()).filter(({ instanceId }) => canSee(by, instanceId)),
    async warnings(instanceId) {
      const ports = await all();
      const others = ports.filter((port) => port.instanceId !== instanceId);
      const warnings = ports
        .filter((port) => port.instanceId === instanceId)
        .flatMap((port) => {
          const found = firstCollision([port], others);
          if (!found) return [];
          const { taken } = found;
          const name = view.find(taken.instanceId)?.config.name;
          const other = `"${taken.instanceId}"${name === undefined || name === taken.instanceId ? '' : ` (${name})`}`;
          return [
            `The ${portName(port)} ${port.port} is also the ${portName(taken)} of the instance ${other}. The two cannot run at the same time.`,
          ];
        });
      return warnings.length > 0 ? warnings : undefined;
    },
  };
}
