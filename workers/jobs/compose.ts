import { randomBytes } from 'node:crypto';
import { jobsRouter } from '../../shared/contract/jobs.ts';
import { VERSION } from '../../shared/domain/version.ts';
import type { Home } from '../../shared/node/home.ts';
import { serveIpc } from '../../shared/node/ipc/server.ts';
import { createLogger } from '../../shared/node/logger.ts';
import { createProcessMeter } from '../../shared/node/process-meter.ts';
import { archiveFiles } from './backups/archive-files.ts';
import { openCatalogue } from './backups/catalogue.ts';
import { finishCutOffRestores } from './backups/finish-cut-off.ts';
import { previousFolders } from './backups/previous-folders.ts';
import { swapJournals } from './backups/swap-journal.ts';
import { sweep } from './backups/sweep.ts';
import { backupTotals } from './backups/totals.ts';
import { openDatabase } from './database.ts';
import { countJobs } from './figures.ts';
import { connectPeers } from './peers.ts';
import { createPool } from './pool.ts';
import { createProvisioner } from './provision.ts';
import { JobQueue } from './queue.ts';
import { createJobsService } from './service.ts';

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
  const meter = createProcessMeter();
  cleanup.defer(() => meter.stop());
  const parts = {
    catalogue: openCatalogue(database),
    files: archiveFiles(home),
    journals: swapJournals(home),
    previousFolders: previousFolders(database, log),
    now: () => new Date(),
    pool,
    peers,
    log,
    settings,
    randomHex,
    queue,
    figures: countJobs({ queue, meter, totals: backupTotals(database) }),
    provisioner: createProvisioner({ home, peers }),
  };
  await sweep({ ...parts, directory: backups.directory });
  await finishCutOffRestores(parts);

  const ending = new AbortController();
  const followStarts = () =>
    void parts.previousFolders
      .follow((signal) => peers.daemon.watchInstances(undefined, { signal }), ending.signal)
      // The daemon went away, and with it this process will.
      .catch((error: unknown) => log.debug({ err: error }, 'no longer following instances'));
  followStarts();

  const service = createJobsService({ ...parts, onReplaced: followStarts });
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
  cleanup.defer(() => ending.abort());
  const owned = cleanup.move();
  return () => owned.disposeAsync();
}

function randomHex(digits: number): string {
  return randomBytes(Math.ceil(digits / 2))
    .toString('hex')
    .slice(0, digits);
}
