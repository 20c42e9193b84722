import type { AdoptedSettings } from '../../shared/contract/daemon/instances.ts';
import type { DaemonRouter } from '../../shared/contract/daemon.ts';
import { DAEMON_STREAMS } from '../../shared/contract/streams.ts';
import type { PortConflict, PortUse } from '../../shared/domain/port-use.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { Calls } from '../../shared/node/ipc/calls.ts';
import { createIpcClient } from '../../shared/node/ipc/client.ts';

/** What a supervisor asks of the daemon about its own instance. Throws `daemon_unavailable` while there is none. */
export interface DaemonSide {
  /** The supervisor has been given its new configuration when this resolves. */
  adoptSettings(settings: AdoptedSettings): Promise<void>;
  leasePorts(ports: PortUse[]): Promise<PortConflict | null>;
  releasePorts(): Promise<void>;
}

/** The daemon of a home. A connection for each call: they are seldom, and a daemon may be replaced at any time. */
export function daemonSide(home: Home, instanceId: string): DaemonSide {
  async function ask<T>(call: (daemon: Calls<DaemonRouter>) => Promise<T>): Promise<T> {
    const client = createIpcClient<DaemonRouter>({
      socketPath: home.daemonSocket,
      name: 'daemon',
      unavailable: 'daemon_unavailable',
      streams: DAEMON_STREAMS,
    });
    try {
      return await call(client.call);
    } finally {
      client.close();
    }
  }

  return {
    adoptSettings: (settings) => ask((daemon) => daemon.adoptSettings({ id: instanceId, settings })),
    leasePorts: (ports) => ask((daemon) => daemon.leasePorts({ instanceId, ports })),
    releasePorts: () => ask((daemon) => daemon.releasePorts(instanceId)),
  };
}
