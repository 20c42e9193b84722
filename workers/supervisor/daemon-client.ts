import type { AdoptedSettings } from '../../shared/contract/daemon/instances.ts';
import type { PortConflict, PortUse } from '../../shared/domain/port-use.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { connectDaemon, type DaemonClient, withClient } from '../../shared/node/ipc/connect.ts';

/** What a supervisor asks of the daemon about its own instance. Throws `daemon_unavailable` while there is none. */
export interface DaemonSide {
  /** The supervisor has been given its new configuration when this resolves. */
  adoptSettings(settings: AdoptedSettings): Promise<void>;
  leasePorts(ports: PortUse[]): Promise<PortConflict | null>;
  releasePorts(): Promise<void>;
}

/** The daemon of a home. A connection for each call: they are seldom, and a daemon may be replaced at any time. */
export function daemonSide(home: Home, instanceId: string): DaemonSide {
  const ask = <T>(call: (daemon: DaemonClient['call']) => Promise<T>): Promise<T> =>
    withClient(connectDaemon(home.daemonSocket), (client) => call(client.call));

  return {
    adoptSettings: (settings) => ask((daemon) => daemon.adoptSettings({ id: instanceId, settings })),
    leasePorts: (ports) => ask((daemon) => daemon.leasePorts({ instanceId, ports })),
    releasePorts: () => ask((daemon) => daemon.releasePorts(instanceId)),
  };
}
