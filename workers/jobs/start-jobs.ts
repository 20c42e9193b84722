import path from 'node:path';
import { jobsRouter } from '../../shared/contract/jobs.ts';
import { VERSION } from '../../shared/domain/version.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { serveIpc } from '../../shared/node/ipc/server.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { KeyedMutex } from '../../shared/node/primitives/keyed-mutex.ts';
import type { Settings } from '../../shared/schema/settings.ts';
import { createBackupCalls } from './backups/backup-calls.ts';
import { createBackupJobs } from './backups/backup-jobs.ts';
import { createBackupRules } from './backups/backup-rules.ts';
import { createBackupStorage } from './backups/backup-storage.ts';
import { createBackupReader } from './backups/browse/backup-reader.ts';
import { createBrowseCalls } from './backups/browse/browse-calls.ts';
import { createRecentParts } from './backups/browse/recent-parts.ts';
import { cleanUpAfterCrash } from './backups/catalogue/clean-up-after-crash.ts';
import { startDailyUpkeep } from './backups/daily-upkeep.ts';
import { Replication } from './backups/replication/replication.ts';
import { finishInterruptedRestores } from './backups/restore/finish-interrupted-restores.ts';
import { createPreviousFolders } from './backups/restore/previous-folders.ts';
import { restartAfterRestores, serversToRestart } from './backups/restore/restart-after-restores.ts';
import { createRestartMarks } from './backups/restore/restart-marks.ts';
import { createSwapJournals } from './backups/restore/swap-journal.ts';
import { createCloneCalls } from './clone/clone-calls.ts';
import { createExportCalls } from './export/export-calls.ts';
import { createFileCalls } from './files/file-calls.ts';
import { createImportCalls } from './import/import-calls.ts';
import { createModpackCalls } from './import/modpack-calls.ts';
import { createMods } from './mods/mods.ts';
import { createProvisioner } from './provisioning/provision.ts';
import { createProvisionCalls } from './provisioning/provision-calls.ts';
import { startTidying } from './provisioning/tidying.ts';
import { createJobStats } from './queue/job-stats.ts';
import { JobQueue } from './queue/queue.ts';
import { followUnfinishedBackups } from './queue/unfinished-backups.ts';
import { createJobsMarks } from './resources/jobs-mark.ts';
import { randomHex } from './resources/random-hex.ts';
import { openResources } from './resources/resources.ts';
import { createScratch } from './resources/scratch.ts';
import { createJavaBuilds } from './runtimes/java-builds.ts';
import { createRuntimeCalls } from './runtimes/runtime-calls.ts';
import { startSchedules } from './schedules/schedules.ts';
import { createJobsService } from './service.ts';
import { openSkinCache } from './skins/skin-cache.ts';
import { createSkins } from './skins/skins.ts';
import { createInstalledRecords, moveFormerRecords } from './software/installed.ts';
import { followCustomSoftware, knownSoftware } from './software/known-software.ts';
import { endLeftoverInstallers } from './software/run-installer.ts';
import { createVersionLists } from './software/version-lists.ts';
import { createWorldCalls } from './worlds/world-calls.ts';

/** Builds the process, leaves first, cleans up after a crash, and serves. Returns the function that ends it. */
export async function startJobs({ home, poolEntry }: { home: Home; poolEntry: string }): Promise<() => Promise<void>> {
  await using cleanup = new AsyncDisposableStack();
  const ending = new AbortController();
  const { signal } = ending;

  const { peers, log, database, pool, streams, readers, meter } = await openResources({ home, poolEntry }, cleanup);
  const settings = () => peers.daemon.settings();
  const vendors = async () => (await settings()).vendors;
  const queue = createQueue((await settings()).backups.concurrency, log);
  const { unfinishedBackups: file } = home;
  const leaveUnfinished = await followUnfinishedBackups({ file, queue, now: Date.now, log });
  const scratch = createScratch(database);
  const marks = createJobsMarks(home.jobsMark, ['copies', 'schedules']);

  await moveFormerRecords(path.join(home.cache, 'installed'), home.installed);
  const records = createInstalledRecords(home.installed);
  const downloads = { folder: path.join(home.cache, 'downloads'), mutex: new KeyedMutex() };
  const builds = createJavaBuilds(home.runtimes);
  const sources = { vendors, downloads, manifests: path.join(home.cache, 'mojang') };
  const mods = createMods({ database, pool, peers, queue, sources, log });
  const skinCache = await openSkinCache(home.skins, Date.now);
  const ticks = () => performance.now();
  const skins = createSkins({ cache: skinCache, settings, now: Date.now, ticks, log, signal });
  const software = { home, downloads, records, pool, scratch };
  const provisioner = createProvisioner({ software, builds, settleMods: mods.settle, peers });

  const storage = createBackupStorage({ home, database, pool, settings: async () => (await settings()).backups });
  const watchInstances = (end: AbortSignal) => peers.daemon.watchInstances(undefined, { signal: end });
  const previousFolders = createPreviousFolders({ database, watchInstances, signal, log });
  const swap = { journals: createSwapJournals(home), previousFolders };
  const now = () => new Date();
  const replication = new Replication({ storage, queue, mark: marks.copies, log, now, jitter: Math.random });
  const reader = createBackupReader({ storage, parts: createRecentParts(), log, readers, ending: signal });
  const applyRules = createBackupRules({ storage, replication, queue, peers, log });
  const restarts = createRestartMarks(home);
  const resources = { storage, pool, peers, scratch, restarts, log };
  const backups = {
    ...createBackupJobs({ resources, reader, swap, replication, queue, applyRules }),
    ...createBackupCalls({ storage, replication, previousFolders, queue }),
  };

  await endLeftoverInstallers(home, log);
  await scratch.removeLeftovers(log);
  await cleanUpAfterCrash(storage, log);
  await finishInterruptedRestores({ swap, peers, log });
  const toRestart = await serversToRestart(restarts, swap.journals);

  previousFolders.watchStarts();
  followCustomSoftware(peers.daemon, signal).catch(stopped(log, 'no longer watching custom software'));
  startTidying({ builds, downloads, records, peers, log }, signal);
  const actions = { ...backups, waitForJob: queue.wait.bind(queue) };
  const schedules = startSchedules({ database, peers, backups: actions, mark: marks.schedules, log });

  const imports = { home, peers, pool, scratch, records, sources, known: mods.known };
  const rooms = {
    backups,
    browse: createBrowseCalls({ reader, peers, storage }),
    clone: createCloneCalls(queue, { home, peers, pool, scratch, records, log }),
    export: createExportCalls(queue, { peers, pool: streams, log }),
    files: createFileCalls(queue, { home, peers, pool, streams }),
    import: createImportCalls(queue, imports),
    modpacks: createModpackCalls(queue, { ...imports, log }),
    mods: mods.calls,
    provisioning: createProvisionCalls({ provisioner, queue, peers }),
    runtimes: createRuntimeCalls({ builds, downloads, scratch, records, peers, vendors }),
    schedules: schedules.calls,
    skins: skins.calls,
    software: {
      softwareVersions: createVersionLists({
        cache: home.cache,
        software: (kind) => knownSoftware(kind, peers.daemon),
        vendors,
        now: Date.now,
      }),
    },
    worlds: createWorldCalls(queue, { storage, pool, peers, log, swap, applyRules }),
  };
  const stats = createJobStats({ queue, meter, totals: () => storage.catalogue.totals() });
  const server = await serveIpc({
    socketPath: home.jobsSocket,
    name: 'jobs',
    version: VERSION,
    router: jobsRouter,
    service: createJobsService({ rooms, queue, stats, records, forgetMods: mods.forget }),
    onError: (error, procedure) => log.error({ err: error, procedure }, 'a call failed'),
  });
  // Disposed of in reverse order: replication before the queue, or it would start the next copy when one is ended.
  cleanup.defer(() => server.close());
  cleanup.defer(() => queue.close());
  cleanup.defer(leaveUnfinished);
  cleanup.defer(() => schedules.close());
  cleanup.defer(() => replication.close());
  cleanup.defer(() => ending.abort());

  const cannotRemove = (error: unknown) => log.warn({ err: error }, 'could not remove the skins of players');
  const followSettings = (changed: Settings) => {
    queue.limit = changed.backups.concurrency;
    log.level = changed.log.level;
    replication.wake();
    if (!changed.players.skins) skins.clear().catch(cannotRemove);
  };
  follow(peers.daemon.watchSettings(undefined, { signal }), followSettings).catch(
    stopped(log, 'no longer watching the settings'),
  );
  restartAfterRestores(toRestart, { restarts, queue, peers, log }).catch((error: unknown) =>
    log.error({ err: error }, 'servers could not be started after interrupted restores'),
  );
  startDailyUpkeep({ storage, replication, queue, pool, peers, log }, signal);
  const owned = cleanup.move();
  return () => owned.disposeAsync();
}

function createQueue(limit: number, log: Logger): JobQueue {
  return new JobQueue({
    limit,
    now: () => new Date(),
    ticks: () => performance.now(),
    newId: () => randomHex(16),
    onFailed: ({ jobId, kind, instanceId }, error) =>
      log.warn({ err: error, jobId, kind, instance: instanceId }, 'a job failed'),
  });
}

/** Calls `onItem` with the present value first, then with each change. */
async function follow<T>(items: AsyncIterable<T>, onItem: (item: T) => void): Promise<void> {
  for await (const item of items) onItem(item);
}

/** The daemon is gone, and this process will follow. */
function stopped(log: Logger, message: string): (error: unknown) => void {
  return (error) => log.debug({ err: error }, message);
}
