import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { jobsRouter } from '../../shared/contract/jobs.ts';
import { VERSION } from '../../shared/domain/version.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { serveIpc } from '../../shared/node/ipc/server.ts';
import { createLogger } from '../../shared/node/logger.ts';
import { KeyedMutex } from '../../shared/node/primitives/keyed-mutex.ts';
import { createProcessMeter } from '../../shared/node/processes/process-meter.ts';
import type { StoreSettings } from '../../shared/schema/backup-settings.ts';
import { backupCalls } from './backups/backup-calls.ts';
import { archiveFiles } from './backups/catalogue/archive-files.ts';
import { openCatalogue } from './backups/catalogue/catalogue.ts';
import { sweep } from './backups/catalogue/clean-up-after-crash.ts';
import { keepInOrder } from './backups/daily-upkeep.ts';
import { encryptedCopies } from './backups/replication/encrypted-copies.ts';
import { openReplicas } from './backups/replication/replicas.ts';
import { startReplication } from './backups/replication/replication.ts';
import { finishCutOffRestores } from './backups/restore/finish-cut-off-restores.ts';
import { previousFolders } from './backups/restore/previous-folders.ts';
import { swapJournals } from './backups/restore/swap-journal.ts';
import { openStore } from './backups/stores/open-store.ts';
import { backupTotals } from './backups/totals.ts';
import { cloneCalls } from './clone/clone-calls.ts';
import { exportCalls } from './export/export-calls.ts';
import { importCalls } from './import/import-calls.ts';
import { keepTidy } from './keep-tidy.ts';
import { modCalls } from './mods/mod-calls.ts';
import { createProvisioner } from './provisioning/provision.ts';
import { countJobs } from './queue/job-stats.ts';
import { JobQueue } from './queue/queue.ts';
import { openDatabase } from './resources/database.ts';
import { jobsMarks } from './resources/jobs-mark.ts';
import { connectPeers } from './resources/peers.ts';
import { createPool } from './resources/pool.ts';
import { openScratch } from './resources/scratch.ts';
import { javaBuilds } from './runtimes/java-builds.ts';
import { runtimeCalls } from './runtimes/runtime-calls.ts';
import { tidyRuntimes } from './runtimes/tidy-runtimes.ts';
import { startSchedules } from './schedules/schedules.ts';
import { createJobsService } from './service.ts';
import { installedRecords, moveFormerRecords } from './software/installed.ts';
import { followCustomSoftware, knownSoftware } from './software/known-software.ts';
import { endLeftInstallers } from './software/left-installers.ts';
import { versionLists } from './software/version-lists.ts';
import { tidyDownloads } from './vendors/tidy-downloads.ts';

/** Puts the parts together, cleans up after a crash, and serves. Resolves to how to end it. */
export async function startJobs({ home, poolEntry }: { home: Home; poolEntry: string }): Promise<() => Promise<void>> {
  await using cleanup = new AsyncDisposableStack();
  const peers = connectPeers(home.daemonSocket);
  cleanup.defer(() => peers.close());
  const settings = () => peers.daemon.settings();
  const { log: logSettings, backups } = await settings();
  const log = createLogger({ name: 'jobs', level: logSettings.level });

  const database = openDatabase(home.database);
  cleanup.defer(() => database.close());
  const pool = createPool(poolEntry);
  cleanup.defer(() => pool.close());
  const queue = new JobQueue({
    limit: backups.concurrency,
    now: () => new Date(),
    ticks: () => performance.now(),
    newId: () => randomHex(16),
    onFailed: ({ jobId, kind, instanceId }, error) =>
      log.warn({ err: error, jobId, kind, instance: instanceId }, 'a job failed'),
  });
  const downloads = new KeyedMutex();
  await moveFormerRecords(path.join(home.cache, 'installed'), home.installed);
  const records = installedRecords(home.installed);
  const meter = createProcessMeter();
  cleanup.defer(() => meter.stop());
  const vendors = async () => (await settings()).vendors;
  const mods = modCalls({ database, pool, queue, peers, log, downloads, vendors, cache: home.cache });
  const replicas = openReplicas(database);
  const marks = jobsMarks(home.jobsMark, ['copies', 'schedules']);
  const files = archiveFiles(home);
  const scratch = openScratch(database);
  const parts = {
    catalogue: openCatalogue(database, replicas),
    replicas,
    files,
    scratch,
    encrypted: encryptedCopies(pool),
    openStore: async (store: StoreSettings) =>
      openStore(store, { backups: files.rootOf((await settings()).backups.directory), instances: home.instances }),
    journals: swapJournals(home),
    previousFolders: previousFolders(database, log),
    now: () => new Date(),
    pool,
    peers,
    log,
    settings,
    randomHex,
    queue,
    stats: countJobs({ queue, meter, totals: backupTotals(database) }),
    mods,
    provisioner: createProvisioner({ home, peers, pool, records, scratch, downloads, settleMods: mods.settle }),
    records,
    versions: versionLists({
      cache: home.cache,
      software: (kind) => knownSoftware(kind, peers.daemon),
      vendors,
      now: Date.now,
    }),
    runtimeCalls: runtimeCalls({
      runtimes: home.runtimes,
      cache: path.join(home.cache, 'downloads'),
      scratch,
      vendors,
      downloads,
      records,
      peers,
    }),
    jitter: Math.random,
    mark: marks.copies,
  };
  await endLeftInstallers(home);
  await sweep(backups.directory, parts);
  await finishCutOffRestores(parts);

  const ending = new AbortController();
  const replication = startReplication(parts);
  const followStarts = () =>
    void parts.previousFolders
      .follow((signal) => peers.daemon.watchInstances(undefined, { signal }), ending.signal)
      // The daemon went away, and with it this process will.
      .catch((error: unknown) => log.debug({ err: error }, 'no longer following instances'));
  followStarts();

  /** The first are those that hold. */
  const followSettings = () =>
    void follow(peers.daemon.watchSettings(undefined, { signal: ending.signal }), (now) => {
      queue.limit = now.backups.concurrency;
      log.level = now.log.level;
      replication.wake();
    }).catch((error: unknown) => log.debug({ err: error }, 'no longer following the settings'));

  followCustomSoftware(peers.daemon, ending.signal).catch((error: unknown) =>
    log.debug({ err: error }, "no longer following the owner's kinds of software"),
  );

  const builds = javaBuilds(home.runtimes);
  const tidying = { downloads, records, peers, now: Date.now };
  const until = { log, signal: ending.signal };
  void keepTidy('runtimes', (signal) => tidyRuntimes({ ...tidying, builds }, signal), until);
  const cache = path.join(home.cache, 'downloads');
  void keepTidy('downloads', (signal) => tidyDownloads({ ...tidying, cache }, signal), until);

  const backupService = backupCalls({ ...parts, replication, onReplaced: followStarts });
  const waitForJob = queue.wait.bind(queue);
  const schedules = startSchedules({
    ...parts,
    database,
    mark: marks.schedules,
    backups: { ...backupService, waitForJob },
  });
  const places = { home, instances: home.instances, folderOf: home.instanceDirectory };
  const copies = {
    ...cloneCalls({ ...parts, ...places }),
    ...exportCalls(parts),
    ...importCalls({ ...parts, ...places }),
  };
  const service = createJobsService({
    ...parts,
    copies,
    replication,
    schedules: schedules.calls,
    backups: backupService,
  });
  const server = await serveIpc({
    socketPath: home.jobsSocket,
    name: 'jobs',
    version: VERSION,
    router: jobsRouter,
    service,
    onError: (error, procedure) => log.error({ err: error, procedure }, 'a call failed'),
  });
  cleanup.defer(() => server.close());
  cleanup.defer(() => queue.close());
  cleanup.defer(() => schedules.close());
  // Before the jobs, or it would begin the next copy when one is ended.
  cleanup.defer(() => replication.close());
  cleanup.defer(() => ending.abort());
  followSettings();
  keepInOrder({ ...parts, replication, signal: ending.signal });
  const owned = cleanup.move();
  return () => owned.disposeAsync();
}

async function follow<T>(items: AsyncIterable<T>, onItem: (item: T) => void): Promise<void> {
  for await (const item of items) onItem(item);
}

function randomHex(digits: number): string {
  return randomBytes(Math.ceil(digits / 2))
    .toString('hex')
    .slice(0, digits);
}
