/** The root process: keeps what owners want of their servers, and sees to it that the other processes are there. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Listeners } from '../shared/contract/daemon/settings.ts';
import { type DaemonInfo, daemonRouter } from '../shared/contract/daemon.ts';
import { isLive } from '../shared/domain/phase.ts';
import type { PortUse } from '../shared/domain/port-use.ts';
import { VERSION } from '../shared/domain/version.ts';
import { homeAt } from '../shared/node/files/home.ts';
import { loadSettings } from '../shared/node/files/settings-file.ts';
import { serveIpc } from '../shared/node/ipc/server.ts';
import { createLogger } from '../shared/node/logger.ts';
import { EXIT } from '../shared/node/processes/exit-codes.ts';
import { createProcessMeter } from '../shared/node/processes/process-meter.ts';
import { secretsIn } from '../shared/schema/masked-secrets.ts';
import { settings as settingsSchema } from '../shared/schema/settings.ts';
import { sweepRun } from './home/clean-run-folder.ts';
import { checkHome, prepareHome, prepareSockets, removeShortSockets } from './home/home-directories.ts';
import { lockHome } from './home/home-lock.ts';
import { rotateLog } from './home/log-file.ts';
import { createReadyFile } from './home/ready-file.ts';
import { deletedFolders } from './instances/deleted-folders.ts';
import { createPortLeases } from './instances/port-leases.ts';
import { createRegistry, type Registry } from './instances/registry.ts';
import { endFormerChildren } from './processes/former-children.ts';
import { GATEWAY_GRACE_MS, startGateway } from './processes/gateway-process.ts';
import { createJobsProcess } from './processes/jobs-process.ts';
import type { ManagedProcess } from './processes/managed-process.ts';
import { createDaemonService } from './service.ts';
import { checkSettings } from './settings/check-settings.ts';
import { createLiveSettings, type LiveSettings } from './settings/live-settings.ts';
import { createSettingsOffers } from './settings/settings-offers.ts';
import { serviceManager } from './shutdown/service-manager.ts';
import { createShutdown, obeySignals } from './shutdown/shutdown.ts';
import { stopServers } from './shutdown/stop-servers.ts';
import { followCustomSoftware } from './software/custom-software.ts';
import { autoStart } from './startup/auto-start.ts';
import { type DaemonOptions, parseCommandLine } from './startup/command-line.ts';
import { finishCutOffRestores } from './startup/finish-restores.ts';
import { chosenPassword, firstAdmin } from './startup/first-run.ts';
import { thisRelease } from './startup/release.ts';
import { resumeJobs } from './startup/resume-jobs.ts';
import { explainFailure } from './startup/startup-error.ts';
import { waitForDiskSpace } from './startup/wait-for-disk-space.ts';
import { welcome } from './startup/welcome.ts';
import { openStore } from './store/store.ts';
import { lossOf } from './supervisors/lost-supervisor.ts';
import { PendingRecoveries } from './supervisors/pending-recoveries.ts';
import { ServerRecovery } from './supervisors/recover-server.ts';
import { Supervisors } from './supervisors/supervisors.ts';
import { recordUsage } from './usage/record-usage.ts';
import { createUsageHistory } from './usage/usage-history.ts';
import { createCredentials } from './users/credentials.ts';

// Words for a terminal that was closed, or a pipe whose reader has gone, are lost; that must not end the daemon.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  const options = parseCommandLine(process.argv.slice(2), process.env);
  if (options.describe) process.stdout.write(`${JSON.stringify(thisRelease())}\n`);
  else await waitForDiskSpace((onReady) => run(options, onReady), { say: (text) => process.stderr.write(`${text}\n`) });
  if (!options.json && !options.describe) process.stdout.write('Gamekeeper has stopped.\n');
  process.exit(EXIT.ok);
} catch (error) {
  const { message, exitCode } = explainFailure(error);
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}

async function run(options: DaemonOptions, onReady: () => void): Promise<void> {
  const print = (text: string) => options.json || process.stdout.write(`${text}\n`);
  const home = homeAt(options.home);
  await checkHome(home);
  // Where it will be needed, before anything is made.
  if (!existsSync(home.database)) chosenPassword(process.env);
  const initial = await loadSettings(home.settings, process.env);
  checkSettings(initial);

  // What is begun here is ended in the reverse order, wherever this function is left.
  await using cleanup = new AsyncDisposableStack();
  const shutdown = createShutdown(print);
  const manager = serviceManager(process.env);
  cleanup.defer(obeySignals(shutdown, { print, now: () => performance.now(), manager }));
  await prepareHome(home);
  cleanup.defer(await lockHome(home.daemonLock));
  cleanup.defer(() => removeShortSockets(home));
  await prepareSockets(home);
  await endFormerChildren(home);
  cleanup.defer(() => endFormerChildren(home));

  const logFile = path.join(home.logs, 'daemon.log');
  rotateLog(logFile);
  const log = createLogger({ name: 'daemon', level: initial.log.level, file: logFile });
  const store = cleanup.use(openStore(home.database));
  const registry = createRegistry(store.instances, log);
  const folders = deletedFolders({ home, log });
  await folders.resume(registry);
  const lost = await sweepRun({ home, isKnown: registry.has, log });
  for (const id of lost) registry.detach(id, lossOf(new Date()));
  const usageHistory = createUsageHistory(store.usage);
  cleanup.defer(recordUsage({ registry, history: usageHistory, log, now: Date.now }));
  const pendingRecoveries = new PendingRecoveries(registry);
  const supervisors = new Supervisors({
    home,
    registry,
    log,
    policy: {
      redaction: () => ({ ...settings.current().redaction, secrets: secretsIn(settingsSchema, settings.current()) }),
      software: () => customSoftware.current().kinds,
    },
    restartInMs: (id) => pendingRecoveries.restartInMs(id),
  });
  const recovery = new ServerRecovery({
    registry,
    supervisors,
    pending: pendingRecoveries,
    log,
    signal: shutdown.begun,
  });
  supervisors.onLost((id, phase) => void recovery.recover(id, phase));
  cleanup.defer(() => supervisors.release());
  const customSoftware = await followCustomSoftware({
    folder: home.software,
    log,
    onChange: () => supervisors.sendSoftware(),
  });
  cleanup.defer(customSoftware.close);
  const jobs = createJobsProcess({ home, log, ending: shutdown.begun });

  const meter = createProcessMeter();
  cleanup.defer(meter.stop);
  let gateway: ManagedProcess<unknown> | undefined;
  const offers = createSettingsOffers(initial);
  const readyFile = createReadyFile(home.daemonRecord);
  const settings: LiveSettings = createLiveSettings({
    file: home.settings,
    env: process.env,
    initial,
    key: store.meta.tokenKey,
    take: offers.offer,
    async onChange(next) {
      log.level = next.log.level;
      await supervisors.sendRedaction();
      await readyFile
        .moved(offers.listeners())
        .catch((error: unknown) => log.error({ err: error }, 'the record of where this daemon listens is old'));
    },
  });
  const portLeases = createPortLeases(registry, () => listeningPorts(offers.listeners()));
  void portLeases
    .follow(shutdown.begun)
    .catch((error: unknown) => log.error({ err: error }, 'ports are leased blindly'));
  const startedAt = new Date().toISOString();
  const info = (): DaemonInfo => ({
    daemonId: store.meta.daemonId,
    pid: process.pid,
    version: VERSION,
    home: home.root,
    startedAt,
    program: [process.execPath, process.argv[1] ?? ''],
    ...offers.listeners(),
  });
  const credentials = createCredentials(store, () => new Date().toISOString());
  const server = await serveIpc({
    socketPath: home.daemonSocket,
    name: 'daemon',
    version: VERSION,
    router: daemonRouter,
    service: createDaemonService({
      home,
      settings,
      offers,
      customSoftware,
      info,
      registry,
      supervisors,
      folders,
      jobs,
      credentials,
      shutdown,
      usageHistory,
      portLeases,
      stats: () => ({
        process: meter.read(),
        restarts: {
          gateway: gateway?.restarts ?? 0,
          jobs: jobs.restarts(),
          supervisors: supervisors.losses(),
        },
      }),
    }),
    onError: (error, procedure) => log.error({ err: error, procedure }, 'a call failed'),
  });
  cleanup.defer(server.close);
  cleanup.defer(shutdown.end);
  cleanup.defer(jobs.stop);

  const startingGateway = startGateway({ home, offers, log, ending: shutdown.begun });
  startingGateway.then((process) => {
    gateway = process;
  }, ignore);
  for (const socket of [home.gatewaySocket, home.jobsSocket]) cleanup.defer(() => rm(socket, { force: true }));
  cleanup.defer(() => startingGateway.then((gateway) => gateway.stop(GATEWAY_GRACE_MS), ignore));
  // Meanwhile: its process takes longer to get ready than all of this.
  store.sessions.removeExpired(startedAt);
  store.tokens.removeExpired(startedAt);
  const [admin] = await Promise.all([firstAdmin(store.users, process.env), supervisors.reattachAll()]);
  // Their supervisors went together with the daemon before.
  for (const id of lost) void recovery.recover(id, 'running');
  // Should that one be gone again, another is on its way, and listens where it did.
  await startingGateway;
  const listeners = offers.listeners();

  admin?.save();
  const record = { pid: process.pid, version: VERSION, ...listeners };
  cleanup.defer(readyFile.remove);
  await readyFile.announce(record);
  print(
    welcome({ panel: listeners.panel, admin, running: runningServers(registry), isService: manager !== undefined }),
  );
  if (options.json) process.stdout.write(`${JSON.stringify({ ...record, ...(admin && { admin: admin.shown }) })}\n`);
  log.info(listeners, 'ready');
  onReady();

  void finishCutOffRestores({ home, registry, jobs, log })
    // Schedules do not wait until the last server has started.
    .then(() => resumeJobs({ home, jobs, log }))
    .then(() => autoStart({ registry, supervisors, log, signal: shutdown.begun }));
  await shutdown.requested;
  registry.lookAway();
  log.info({ withServers: shutdown.withServers }, 'shutting down');
  supervisors.close();
  await jobs.stop();
  if (shutdown.withServers) await stopServers(shutdown, { registry, supervisors });
  const left = runningServers(registry);
  if (left.length > 0) shutdown.say(`Still running without Gamekeeper: ${left.join(', ')}.`);
}

/** What Gamekeeper itself listens on. */
function listeningPorts({ panel, remote }: Listeners): PortUse[] {
  return [panel, remote].flatMap((url): PortUse[] => {
    if (url === null) return [];
    const { hostname, port } = new URL(url);
    return [{ purpose: 'management', transport: 'tcp', port: Number(port), host: hostname.replace(/^\[|\]$/g, '') }];
  });
}

function runningServers(registry: Registry): string[] {
  return registry.all().flatMap(({ config, runtime }) => (isLive(runtime.phase) ? [config.name] : []));
}

/** The gateway did not start: the failure is reported where it is awaited, and there is nothing to stop. */
function ignore(): void {}
