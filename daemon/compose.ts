import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Listeners } from '../shared/contract/daemon/settings.ts';
import { type DaemonInfo, daemonRouter } from '../shared/contract/daemon.ts';
import type { PortUse } from '../shared/domain/instance/port-use.ts';
import { VERSION } from '../shared/domain/version.ts';
import type { Home } from '../shared/node/files/home.ts';
import { rotateLog } from '../shared/node/files/log-file.ts';
import { serveIpc } from '../shared/node/ipc/server.ts';
import { lanAddresses } from '../shared/node/lan-addresses.ts';
import { createLogger, type Logger } from '../shared/node/logger.ts';
import { createProcessMeter } from '../shared/node/processes/process-meter.ts';
import { secretsIn } from '../shared/schema/masked-secrets.ts';
import { type Settings, settings as settingsSchema } from '../shared/schema/settings.ts';
import type { SftpState } from '../shared/schema/sftp.ts';
import { cleanRunFolder } from './home/clean-run-folder.ts';
import { createReadyFile, type ReadyFile } from './home/ready-file.ts';
import { createDeletedFolders } from './instances/deleted-folders.ts';
import { createPortLeases } from './instances/port-leases.ts';
import { createRegistry, type Registry } from './instances/registry.ts';
import { announceOnLan } from './lan/announce-on-lan.ts';
import { createLink } from './link/link.ts';
import { createGatewayProcess, type GatewayProcess } from './processes/gateway-process.ts';
import { createOnDemandProcess, type OnDemandProcess } from './processes/on-demand-process.ts';
import { createSftpProcess, type SftpProcess } from './processes/sftp-process.ts';
import { createDaemonService, type DaemonServiceOptions } from './service.ts';
import { createLiveSettings, type LiveSettings } from './settings/live-settings.ts';
import { removeSkins } from './settings/remove-skins.ts';
import { createSettingsOffers, type SettingsOffers } from './settings/settings-offers.ts';
import type { Shutdown } from './shutdown/shutdown.ts';
import { followCustomSoftware } from './software/custom-software.ts';
import { openStore, type Store } from './store/store.ts';
import { lossOf } from './supervisors/lost-supervisor.ts';
import { PendingRecoveries } from './supervisors/pending-recoveries.ts';
import { ServerRecovery } from './supervisors/recover-server.ts';
import { Supervisors } from './supervisors/supervisors.ts';
import { recordUsage } from './usage/record-usage.ts';
import { createUsageHistory } from './usage/usage-history.ts';
import { createCredentials } from './users/credentials.ts';

export interface ComposeOptions {
  /** Its lock is held by this process. */
  home: Home;
  initial: Settings;
  shutdown: Shutdown;
  /** Stops everything started here, in reverse order. */
  cleanup: AsyncDisposableStack;
}

/** The parts of a daemon that its startup and shutdown use. */
export interface Daemon {
  home: Home;
  log: Logger;
  store: Store;
  settings: LiveSettings;
  registry: Registry;
  supervisors: Supervisors;
  recovery: ServerRecovery;
  /** The instances whose supervisor died together with the last daemon. */
  lost: readonly string[];
  jobs: OnDemandProcess;
  sftp: SftpProcess;
  gateway: GatewayProcess;
  offers: SettingsOffers;
  readyFile: ReadyFile;
}

/** Builds a daemon, leaves first, and serves its calls. No other process is started yet. */
export async function composeDaemon({ home, initial, shutdown, cleanup }: ComposeOptions): Promise<Daemon> {
  const logFile = path.join(home.logs, 'daemon.log');
  rotateLog(logFile);
  const log = createLogger({ name: 'daemon', level: initial.log.level, file: logFile });
  const store = cleanup.use(openStore(home.database));
  const registry = createRegistry(store.instances, log);
  const folders = createDeletedFolders({ home, log });
  await folders.resume(registry);
  const ended = await cleanRunFolder({ home, isKnown: registry.has, log });
  for (const { id, intent, isLost } of ended) {
    if (intent === 'asleep' || intent === 'stopped') registry.forgetRan(id); // the last daemon may not have seen that
    if (isLost) registry.detach(id, intent === 'asleep' ? undefined : lossOf(new Date()));
  }
  const lost = ended.flatMap(({ id, isLost }) => (isLost ? [id] : []));
  const usageHistory = createUsageHistory(store.usage);
  cleanup.defer(recordUsage({ registry, history: usageHistory, log, now: Date.now }));

  const offers = createSettingsOffers(initial);
  const { tokenKey: key } = store.meta;
  const sftp = createSftpProcess({ home, log, ending: shutdown.begun, initial: initial.sftp });
  const settings: LiveSettings = createLiveSettings({
    file: home.settings,
    env: process.env,
    initial,
    key,
    apply: (next) => applySettings(next, settings.current(), { offers, sftp }),
  });
  cleanup.defer(
    announceOnLan({ instances: registry.all, settings: settings.watchSettings, addresses: lanAddresses, log }),
  );
  const customSoftware = await followCustomSoftware({ folder: home.software, log });
  cleanup.defer(customSoftware.close);
  const pending = new PendingRecoveries(registry);
  const supervisors = new Supervisors({
    home,
    registry,
    log,
    policy: {
      redaction: () => ({ ...settings.current().redaction, secrets: secretsIn(settingsSchema, settings.current()) }),
      software: () => customSoftware.current().kinds,
    },
    restartInMs: (id) => pending.restartInMs(id),
  });
  cleanup.defer(() => supervisors.release());
  const recovery = new ServerRecovery({ registry, supervisors, pending, log, signal: shutdown.begun });
  const readyFile = createReadyFile(home.daemonRecord);
  supervisors.onLost((id) => void recovery.recover(id));
  customSoftware.onChange(() => supervisors.sendSoftware());

  const portLeases = createPortLeases(registry, () => listeningPorts(offers.listeners(), sftp.state()));
  void portLeases
    .follow(shutdown.begun)
    .catch((error: unknown) => log.error({ err: error }, 'stopped following port leases'));
  const processes = { home, log, ending: shutdown.begun };
  const jobs = createOnDemandProcess({ name: 'jobs', ...processes });
  const files = createOnDemandProcess({ name: 'files', ...processes });
  followSettings(settings, { home, log, supervisors, jobs, offers, readyFile });
  const gateway = createGatewayProcess({ home, offers, log, ending: shutdown.begun });
  const meter = createProcessMeter();
  cleanup.defer(meter.stop);
  await serve(
    {
      home,
      instances: { registry, supervisors, folders, portLeases, usageHistory },
      configuration: { settings, offers, customSoftware },
      credentials: credentialCalls({ store, log, cleanup }),
      processes: { jobs, files, sftp },
      daemon: {
        shutdown,
        info: infoOf({ home, store, offers }),
        stats: () => ({
          process: meter.read(),
          restarts: { gateway: gateway.restarts(), jobs: jobs.restarts(), supervisors: supervisors.losses() },
        }),
      },
    },
    { log, cleanup },
  );
  cleanup.defer(shutdown.end);
  cleanup.defer(jobs.stop);
  cleanup.defer(files.stop);
  cleanup.defer(sftp.stop);
  for (const socket of [home.gatewaySocket, home.jobsSocket, home.filesSocket, home.signInSocket])
    cleanup.defer(() => rm(socket, { force: true }));
  cleanup.defer(gateway.stop);
  return { home, log, store, settings, registry, supervisors, recovery, lost, jobs, sftp, gateway, offers, readyFile };
}

/** The calls about users, their credentials, and the link to a hosted proxy. */
function credentialCalls({ store, log, cleanup }: Pick<Daemon, 'store' | 'log'> & Pick<ComposeOptions, 'cleanup'>) {
  const now = () => new Date().toISOString();
  const credentials = createCredentials(store, now);
  const { close, ...link } = createLink({ store, credentials, log, now });
  cleanup.defer(close);
  return { ...credentials, ...link };
}

/** Applies settings that can be refused. After an error the former ones are in force. */
async function applySettings(
  next: Settings,
  former: Settings,
  { offers, sftp }: Pick<Daemon, 'offers' | 'sftp'>,
): Promise<void> {
  await offers.offer(next);
  try {
    await sftp.apply(next.sftp);
  } catch (error) {
    await offers.offer(former);
    throw error;
  }
}

/** Applies changed settings to what has been built from the former ones. */
function followSettings(
  settings: LiveSettings,
  daemon: Pick<Daemon, 'home' | 'log' | 'supervisors' | 'jobs' | 'offers' | 'readyFile'>,
): void {
  const { log, supervisors, offers, readyFile } = daemon;
  settings.onChange(async (next) => {
    log.level = next.log.level;
    void removeSkins(next, daemon);
    await supervisors.sendRedaction();
    await readyFile
      .moved(offers.listeners())
      .catch((error: unknown) => log.error({ err: error }, 'could not update the addresses in run/daemon.json'));
  });
}

async function serve(
  options: DaemonServiceOptions,
  { log, cleanup }: { log: Logger; cleanup: AsyncDisposableStack },
): Promise<void> {
  const server = await serveIpc({
    socketPath: options.home.daemonSocket,
    name: 'daemon',
    version: VERSION,
    router: daemonRouter,
    service: createDaemonService(options),
    onError: (error, procedure) => log.error({ err: error, procedure }, 'a call failed'),
  });
  cleanup.defer(server.close);
}

function infoOf({ home, store, offers }: Pick<Daemon, 'home' | 'store' | 'offers'>): () => DaemonInfo {
  const startedAt = new Date().toISOString();
  return () => ({
    daemonId: store.meta.daemonId,
    pid: process.pid,
    version: VERSION,
    home: home.root,
    startedAt,
    program: [process.execPath, process.argv[1] ?? ''],
    ...offers.listeners(),
  });
}

/** The ports that Gamekeeper itself listens on. */
function listeningPorts({ panel, remote }: Listeners, { listening }: SftpState): PortUse[] {
  const sftp: PortUse[] = listening
    ? [{ purpose: 'management', transport: 'tcp', port: listening.port, host: listening.host }]
    : [];
  const http = [panel, remote].flatMap((url): PortUse[] => {
    if (url === null) return [];
    const { hostname, port } = new URL(url);
    return [{ purpose: 'management', transport: 'tcp', port: Number(port), host: hostname.replace(/^\[|\]$/g, '') }];
  });
  return [...http, ...sftp];
}
