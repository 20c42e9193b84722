import type { Logger } from '../shared/node/logger.ts';
import type { Settings } from '../shared/schema/settings.ts';
import { type Credentials, createCredentials } from './auth/credentials.ts';
import { passwordWork } from './auth/password-work.ts';
import { createReAuthentication } from './auth/re-authentication.ts';
import { type OpenSockets, openSockets } from './console/open-sockets.ts';
import { type RateLimit, rateLimit } from './http/rate-limit.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { auditService } from './services/audit.ts';
import { backupsService } from './services/backups.ts';
import { cloneService } from './services/clone.ts';
import { consoleService } from './services/console.ts';
import { crashesService } from './services/crashes.ts';
import { eventsService } from './services/events.ts';
import { exportService } from './services/export.ts';
import { gameServerService } from './services/game-server.ts';
import { healthService } from './services/health.ts';
import { historyService } from './services/history.ts';
import { importService } from './services/import.ts';
import { instancesService } from './services/instances.ts';
import { jobsService } from './services/jobs.ts';
import { lifecycleService } from './services/lifecycle.ts';
import { modsService } from './services/mods.ts';
import { propertiesService } from './services/properties.ts';
import { schedulesService } from './services/schedules.ts';
import { secondFactorService } from './services/second-factor.ts';
import type { Services } from './services/services.ts';
import { settingsService } from './services/settings.ts';
import { signInService } from './services/sign-in.ts';
import { softwareService } from './services/software.ts';
import { storesService } from './services/stores.ts';
import { tokensService } from './services/tokens.ts';
import { tunnelService } from './services/tunnel.ts';
import { usersService } from './services/users.ts';
import { type AuditTrail, auditTrail } from './upstream/audit.ts';
import { openByteChannel } from './upstream/byte-channel.ts';
import { credentialStore } from './upstream/credential-store.ts';
import type { Daemon } from './upstream/daemon.ts';
import { watchInstances } from './upstream/instance-view.ts';
import { connectJobs } from './upstream/jobs.ts';
import { daemonLiveness } from './upstream/liveness.ts';
import { passiveJobs } from './upstream/passive-jobs.ts';
import { statsOf } from './upstream/stats.ts';
import { connectSupervisors } from './upstream/supervisors.ts';

/** Where this gateway is reached; filled in when it listens. */
export interface Addresses {
  panel: string | null;
  remote: string | null;
}

/** What all listeners of a gateway share. */
export interface Gateway {
  /** Those that hold now; replaced as a whole. */
  settings: Settings;
  readonly services: Services;
  readonly credentials: Credentials;
  readonly metrics: Metrics;
  readonly limit: RateLimit;
  readonly sockets: OpenSockets;
  readonly audit: AuditTrail;
  readonly log: Logger;
  readonly now: () => number;
  /** Absolute path of the built web panel, where there is one. */
  readonly panel: string | undefined;
  addresses: Addresses;
  /** True from the moment at which new requests are refused. */
  closing: boolean;
  /** Lets go of the other processes. */
  close(): void;
}

export interface GatewayOptions {
  daemon: Daemon;
  settings: Settings;
  log: Logger;
  /** Milliseconds since the epoch. */
  now?: () => number;
  panel?: string;
}

/** Connects to the daemon and composes the use cases. Resolves when the instances are known. */
export async function createGateway({
  daemon,
  settings,
  log,
  now = Date.now,
  panel,
}: GatewayOptions): Promise<Gateway> {
  const warn = (error: unknown) => log.warn({ err: error }, 'a call to the daemon failed');
  const view = watchInstances(daemon, warn);
  const supervisors = connectSupervisors(daemon, view);
  const jobs = connectJobs(daemon);
  const onlookers = passiveJobs(daemon, warn);
  const store = credentialStore(daemon, warn);
  const credentials = createCredentials(store, warn);
  const audit = auditTrail(daemon, warn);
  const passwords = passwordWork();
  const reAuthentication = createReAuthentication({ store, passwords, now });
  const sockets = openSockets({ credentials, now });
  const work = jobsService({ jobs });
  const events = eventsService({
    view,
    jobs: onlookers,
    streamsPerCredential: () => gateway.settings.limits.socketsPerCredential,
    now,
  });
  const stats = statsOf({ daemon, view, supervisors, jobs: onlookers });
  const metrics = createMetrics({ view, stats, eventStreams: () => events.streams, now });
  // Grants went with it: another instance with the same id is not granted to anybody.
  view.onChange(({ after }) => after || credentials.usersChanged());
  await view.ready;

  const gateway: Gateway = {
    settings,
    services: {
      health: healthService({ view, liveness: daemonLiveness(daemon) }),
      instances: instancesService({ daemon, view, supervisors, now }),
      imports: importService({ view, jobs, work, now }),
      clones: cloneService({ view, jobs, work, now }),
      exports: exportService({ view, jobs, work, openChannel: () => openByteChannel(daemon) }),
      history: historyService({ daemon, view }),
      lifecycle: lifecycleService({ view, supervisors }),
      gameServer: gameServerService({ view, supervisors }),
      properties: propertiesService({ supervisors, view }),
      backups: backupsService({ daemon, view, jobs, work }),
      jobs: work,
      schedules: schedulesService({ view, jobs }),
      mods: modsService({ view, jobs, work, now }),
      tunnel: tunnelService({ view }),
      console: consoleService({ view, supervisors, credentials }),
      crashes: crashesService({ supervisors }),
      events,
      settings: settingsService({ daemon }),
      stores: storesService({ jobs }),
      software: softwareService({ daemon, jobs }),
      signIn: signInService({ credentials, store, reAuthentication, passwords, now }),
      secondFactor: secondFactorService({ store, reAuthentication }),
      users: usersService({ store, passwords }),
      tokens: tokensService({ credentials, store, now }),
      audit: auditService(audit),
    },
    credentials,
    metrics,
    limit: rateLimit(() => gateway.settings.limits),
    sockets,
    audit,
    log,
    now,
    panel,
    addresses: { panel: null, remote: null },
    closing: false,
    close() {
      view.close();
      store.close();
      audit.close();
      supervisors.close();
      jobs.close();
      events.close();
      onlookers.close();
      metrics.close();
    },
  };
  return gateway;
}
