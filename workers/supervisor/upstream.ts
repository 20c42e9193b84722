import type { AdoptedSettings } from '../../shared/contract/daemon/instances.ts';
import type { TunnelPermit, TunnelWish } from '../../shared/contract/daemon/link.ts';
import type { Provisioned } from '../../shared/contract/jobs.ts';
import type { LearnedSettings } from '../../shared/contract/tunnel.ts';
import type { PortChange, PortConflict, PortUse } from '../../shared/domain/instance/port-use.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { connectDaemon, connectJobs, type DaemonClient, withClient } from '../../shared/node/ipc/connect.ts';

/** The daemon may have to start the jobs process first, which takes a moment on a busy machine. */
const JOBS_START_TIMEOUT_MS = 30_000;

/** The proxy may take ten seconds to answer. */
const PERMIT_TIMEOUT_MS = 15_000;

/** A step of an installation: its progress in words, or its result. */
export type ProvisionStep = { progress: string } | { done: Provisioned };

/**
 * The requests of a supervisor to the daemon and to jobs, for its instance. Methods throw `daemon_unavailable` while there is no daemon.
 */
export interface Upstream {
  /** Changes the instance's settings. The daemon sends the new configuration to this supervisor before this resolves. */
  adoptSettings(settings: AdoptedSettings): Promise<void>;
  /** Adds what the tunnel learned at its first connection to its settings. */
  storeLearnedTunnel(learned: LearnedSettings): Promise<void>;
  /** Gives this server an address at the paired proxy. Throws `not_linked`, `proxy_unavailable`, or `proxy_refused` with its reason. */
  permitTunnel(wish: Omit<TunnelWish, 'id'>): Promise<TunnelPermit>;
  /** Leases these ports in place of those leased before. Returns the conflict if another instance has one of them. */
  leasePorts(ports: PortUse[]): Promise<PortConflict | null>;
  /** Returns another number for a port that is taken; `null`: the port has no setting of its own. */
  suggestPort(taken: PortUse): Promise<PortChange | null>;
  releasePorts(): Promise<void>;
  /** Installs the software and the Java that a start needs. Throws `worker_unavailable` while there is no jobs process. */
  provision(signal: AbortSignal): AsyncIterable<ProvisionStep>;
}

/** Connects for each call: calls are rare, and the daemon and jobs may be replaced at any time. */
export function createUpstream(home: Home, instanceId: string): Upstream {
  const ask = <T>(call: (daemon: DaemonClient['call']) => Promise<T>): Promise<T> =>
    withClient(connectDaemon(home.daemonSocket), (client) => call(client.call));

  return {
    adoptSettings: (settings) => ask((daemon) => daemon.adoptSettings({ id: instanceId, settings })),
    storeLearnedTunnel: (learned) => ask((daemon) => daemon.storeLearnedTunnel({ id: instanceId, learned })),
    permitTunnel: (wish) =>
      ask((daemon) => daemon.permitTunnel({ ...wish, id: instanceId }, { timeoutMs: PERMIT_TIMEOUT_MS })),
    leasePorts: (ports) => ask((daemon) => daemon.leasePorts({ instanceId, ports })),
    suggestPort: (taken) => ask((daemon) => daemon.suggestPort({ instanceId, taken })),
    releasePorts: () => ask((daemon) => daemon.releasePorts(instanceId)),
    provision: (signal) => provision(home, instanceId, signal),
  };
}

async function* provision(home: Home, instanceId: string, signal: AbortSignal): AsyncGenerator<ProvisionStep> {
  const daemon = connectDaemon(home.daemonSocket);
  const jobs = connectJobs(
    async () => (await daemon.call.jobs(undefined, { timeoutMs: JOBS_START_TIMEOUT_MS, signal })).socket,
  );
  try {
    yield* jobs.call.provision(instanceId, { signal });
  } finally {
    jobs.close();
    daemon.close();
  }
}
