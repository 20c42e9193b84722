import type { Logger } from '../shared/node/logger.ts';
import { createRateLimit, type RateLimit } from '../shared/node/rate-limit.ts';
import type { LinkStatus } from '../shared/schema/link.ts';
import type { Settings } from '../shared/schema/settings.ts';
import { type Credentials, createCredentials } from './auth/credentials/credentials.ts';
import { createOpenSockets, type OpenSockets } from './console/open-sockets.ts';
import { createTelemetrySource, type TelemetrySource } from './link/telemetry/gather.ts';
import { createMachineUsage } from './metrics/machine-usage.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { createServices, type Services } from './services/services.ts';
import type { AuditTrail } from './upstream/audit.ts';
import type { Daemon } from './upstream/clients.ts';
import { createNewestBackups, createStatsReader } from './upstream/stats.ts';
import { connectUpstream } from './upstream/upstream.ts';
import { createWorkPlaces, type WorkPlaces } from './work/work-places.ts';

/** URLs of the TCP listeners; `null` while one is off. */
export interface Addresses {
  panel: string | null;
  remote: string | null;
}

/** What changes while a gateway runs. */
interface GatewayState {
  /** The settings in force; replaced as a whole. */
  settings: Settings;
  addresses: Addresses;
  /** True once new requests are refused. */
  closing: boolean;
  /** The link to the hosted proxy, once it is started. */
  link: { readonly status: LinkStatus } | undefined;
}

/** What all listeners of a gateway share. */
export interface Gateway extends GatewayState {
  readonly services: Services;
  readonly credentials: Credentials;
  readonly metrics: Metrics;
  /** What a linked daemon may report to its proxy. */
  readonly telemetry: TelemetrySource;
  readonly rateLimit: RateLimit;
  readonly workPlaces: WorkPlaces;
  readonly sockets: OpenSockets;
  readonly audit: AuditTrail;
  readonly log: Logger;
  readonly now: () => number;
  /** Absolute path of the built web panel; `undefined` if it was not built. */
  readonly panelFolder: string | undefined;
  /** Disconnects from the other processes. */
  close(): void;
}

export interface GatewayOptions {
  daemon: Daemon;
  settings: Settings;
  log: Logger;
  /** Milliseconds since the epoch. */
  now?: () => number;
  panelFolder?: string;
  /** The data directory. */
  folder?: string;
}

/** Connects to the other processes and creates the services. Resolves when the instances are known. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { daemon, settings, log, now = Date.now, panelFolder, folder } = options;
  const warn = (error: unknown) => log.warn({ err: error }, 'a call to the daemon failed');
  const addresses = { panel: null, remote: null };
  const state: GatewayState = { settings, addresses, closing: false, link: undefined };
  const limits = () => state.settings.limits;
  const upstream = connectUpstream(daemon, warn);
  const { view, supervisors, passiveJobs, store, audit } = upstream;
  const credentials = createCredentials(store, warn);
  // Grants end with their instance: a new instance with the same id has no grants.
  view.onChange(({ id, after }) => after || credentials.instanceRemoved(id));
  const newestBackups = createNewestBackups(upstream.jobs);
  const services = createServices({
    upstream,
    credentials,
    settings: () => state.settings,
    linkStatus: () => state.link?.status,
    host: {
      usage: createMachineUsage(folder),
      newestBackups,
      pausedSchedules: () => upstream.jobs.call.pausedSchedules(),
    },
    now,
  });
  const stats = createStatsReader({ daemon, view, supervisors, jobs: passiveJobs });
  const metrics = createMetrics({ view, stats, eventStreams: () => services.events.streams, now });
  const gateway: Gateway = Object.assign(state, {
    services,
    credentials,
    metrics,
    telemetry: createTelemetrySource({ view, stats, backups: newestBackups, folder, now }),
    rateLimit: createRateLimit(limits),
    workPlaces: createWorkPlaces(),
    sockets: createOpenSockets({ credentials, now }),
    audit,
    log,
    now,
    panelFolder,
    close() {
      services.events.close();
      upstream.close();
      metrics.close();
    },
  });
  await view.ready;
  return gateway;
}
