import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isIPv6 } from 'node:net';
import { errorCode } from '../../shared/errors/error-code.ts';
import { writeFileAtomically } from '../../shared/node/files/atomic-file.ts';
import { lockFile } from '../../shared/node/files/exclusive-file.ts';
import { isAboutDaemon } from '../../shared/node/link/about-daemon.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { StartupError } from '../../shared/node/processes/startup-error.ts';
import { PLAYER_UPGRADE } from '../../shared/node/tunnel/relay-protocol.ts';
import { closeServer } from '../http/close-server.ts';
import { createHttpServer } from '../http/server.ts';
import { removeExpiredPending } from './accounts/pending.ts';
import { buildApp } from './app.ts';
import { createAboutIntake } from './daemons/about-intake.ts';
import { closeLostLinks } from './daemons/close-lost-links.ts';
import { startEdge } from './edge/edge.ts';
import { createTunnels } from './edge/tunnels/tunnels.ts';
import { createAlerts } from './fleet/alerts/alerts.ts';
import { createIntake } from './fleet/telemetry/intake.ts';
import { createTelemetryStore, type TelemetryStore } from './fleet/telemetry/telemetry-store.ts';
import { createClientAddresses } from './http/client-addresses.ts';
import { answers } from './http/health.ts';
import { createLinks } from './links/links.ts';
import { createProxyMetrics } from './metrics/proxy-metrics.ts';
import { serveMetrics } from './metrics/serve-metrics.ts';
import { createProxy, type ProxyParts } from './proxy.ts';
import { createLocalStreams, type DaemonStreams } from './relay/daemon-streams.ts';
import { drain } from './replicas/drain.ts';
import { createReplica, type Replica } from './replicas/replica.ts';
import type { ProxyConfig } from './startup/config.ts';
import { openStore } from './store/open-store.ts';

const CLEAN_UP_EVERY_MS = 10 * 60 * 1000;
/** Time for answers under way when the proxy ends. */
const GRACE_MS = 5_000;

export interface ServeOptions {
  config: ProxyConfig;
  log: Logger;
  /** Fires when the proxy should end. */
  end: AbortSignal;
  onReady: (url: string) => void;
}

/** Runs the proxy until `end` fires. Throws StartupError if it cannot start. */
export async function serve({ config, log, end, onReady }: ServeOptions): Promise<void> {
  const { home, publicUrl, providers, signUp } = config;
  // Disposed in the reverse order, however this function ends.
  await using cleanup = new AsyncDisposableStack();
  await mkdir(home.run, { recursive: true, mode: 0o700 });
  cleanup.defer(takeHome(config));
  await rm(home.record, { force: true }); // of a proxy that was killed
  const store = await openStore(config, (error) => log.warn({ err: error }, 'a connection to the database failed'));
  cleanup.defer(() => store.database.destroy());
  const server = createHttpServer(() => undefined, {
    upgrades: ['websocket', PLAYER_UPGRADE],
    bodyTimeoutMs: 0, // a relayed upload may take hours; http/limit-requests.ts limits the others
  });
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // It listens once it can answer: requests that came before would wait for ever. Any free port is known by nobody until it is ready.
  const known = publicUrl ?? (config.port === 0 ? undefined : addressOf(config.host, config.port));
  const url = known ?? (await listen(server, config));
  const addresses = createClientAddresses(config.isTrustedProxy);
  const telemetryStore = createTelemetryStore(store.database, Date.now);
  const telemetry = createIntake({ store: telemetryStore, log, now: Date.now });
  cleanup.defer(() => telemetry.settled());
  const replica = config.databaseUrl === undefined ? undefined : createReplica({ ...store, log, now: Date.now });
  const proxy = await createProxy({
    issuer: url,
    ...store,
    linksOf(options) {
      const about = createAboutIntake({ daemons: options.directory, log, now: Date.now });
      return createLinks({
        ...options,
        issuer: url,
        addresses,
        log,
        registry: replica?.registry,
        onMessage: (daemonId, text) => (isAboutDaemon(text) ? about : telemetry.receive)(daemonId, text),
      });
    },
    replicas: replica,
    daemonDomain: config.daemonDomain,
    providers,
    now: Date.now,
  });
  const hasDatabase = () => replica?.isRenewed ?? answers(store.database);
  const alerts = createAlerts({ ...proxy, links: proxy.liveLinks, allowsPrivate: config.privateWebhooks });
  cleanup.defer(() => replica?.leave());
  cleanup.defer(() => closeServer(server, GRACE_MS));
  const edge =
    config.edge &&
    (await startEdge({
      config: config.edge,
      url: config.edge.url ?? url,
      database: store.database,
      tokens: proxy.tokens.daemon,
      addresses,
      isTrusted: config.isTrustedProxy,
      log,
    }));
  cleanup.defer(() => edge?.close());
  const isReady = async () => !end.aborted && (await hasDatabase());
  const metrics = config.metrics && createProxyMetrics({ links: proxy.links, edge, ...store, isReady });
  await buildApp({
    proxy: { ...proxy, alerts },
    server,
    addresses,
    signUp,
    streams: await streamsOf(config, proxy, replica),
    allowsPrivate: config.privateWebhooks,
    metrics,
    edge,
    health: {
      isDraining: () => end.aborted,
      hasDatabase,
    },
    log,
  });
  if (known !== undefined) await listen(server, config);
  if (metrics && config.metrics) {
    const served = await serveMetrics(metrics, config.metrics);
    cleanup.defer(served.close);
    log.info({ port: served.port }, 'serving metrics');
  }
  cleanup.defer(() => proxy.links.close());
  cleanup.defer(cleanUpRegularly({ ...proxy, telemetryStore }, log));
  cleanup.defer(closeLostLinks({ ...proxy, edge, log }));
  cleanup.defer(alerts.start(log));
  proxy.keys.onChange(() => {
    for (const daemonId of proxy.links.ids()) proxy.links.tell(daemonId, { type: 'keys-changed' });
  });
  cleanup.defer(proxy.keys.follow(log));

  cleanup.defer(() => rm(home.record, { force: true }));
  await writeFileAtomically(home.record, `${JSON.stringify({ pid: process.pid, url })}\n`);
  log.info({ url, port: (server.address() as AddressInfo).port }, 'ready');
  onReady(url);
  if (!end.aborted) await once(end, 'abort');
  log.info('ending');
  if (replica) await drain({ replica, links: proxy.links, log });
}

/** Resolves to the way to daemons: those that are connected here, and to other replicas. */
async function streamsOf(
  { peer }: ProxyConfig,
  { links, daemons }: ProxyParts,
  replica: Replica | undefined,
): Promise<DaemonStreams> {
  if (!replica) return createLocalStreams({ links, directory: daemons });
  return replica.join({ address: peer, links, directory: daemons });
}

/** Makes this the only proxy of its data directory. Returns a function that gives it up. */
export function takeHome({ home }: ProxyConfig): () => void {
  const release = lockFile(home.lock);
  if (release) return release;
  throw new StartupError(
    `A proxy already runs with the data directory ${home.root}.\nStop it, or set GAMEKEEPER_PROXY_HOME to another folder to run a second one.`,
  );
}

/** Resolves to the address. */
export async function listen(server: Server, { host, port, sharesPort }: ProxyConfig): Promise<string> {
  try {
    server.listen({ host, port, reusePort: sharesPort });
    await once(server, 'listening');
  } catch (cause) {
    const reason = errorCode(cause) === 'EADDRINUSE' ? 'another program uses it' : (cause as Error).message;
    throw new StartupError(
      `Cannot listen on ${host}, port ${port}: ${reason}.\nSet GAMEKEEPER_PROXY_HOST or GAMEKEEPER_PROXY_PORT.`,
      { cause },
    );
  }
  return addressOf(host, (server.address() as AddressInfo).port);
}

function addressOf(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Returns a function that stops it. */
function cleanUpRegularly(
  {
    sessions,
    grants,
    audit,
    invitations,
    panel,
    telemetryStore,
    database,
    now,
  }: ProxyParts & { telemetryStore: TelemetryStore },
  log: Logger,
): () => void {
  const cleanUp = () => {
    Promise.all([
      sessions.removeExpired(),
      grants.removeUnused(),
      audit.removeOld(),
      invitations.removeOld(),
      panel?.sessions.removeExpired(),
      telemetryStore.removeOld(),
      createTunnels(database, now).removeOld(),
      removeExpiredPending(database, now()),
    ]).catch((error: unknown) => log.warn({ err: error }, 'what has expired could not be removed'));
  };
  cleanUp();
  const timer = setInterval(cleanUp, CLEAN_UP_EVERY_MS);
  return () => clearInterval(timer);
}
