import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import type { JobsService, ModOrder, ScheduleOwner } from '../../../shared/contract/jobs.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Backup } from '../../../shared/schema/backup.ts';
import type { Job } from '../../../shared/schema/job.ts';
import type { CreateFromModpack } from '../../../shared/schema/modpacks.ts';
import type { Schedule, ScheduleRun } from '../../../shared/schema/schedule.ts';
import { eventQueue } from '../http/event-queue.ts';
import { createJobTable, type JobTable } from './job-table.ts';
import { ARCHIVE, BACKUP_ID, backupOf, FIXED_ANSWERS, MOD, recognitionOf } from './jobs-answers.ts';

export { ARCHIVE, BACKUP_ID, backupOf } from './jobs-answers.ts';

/** The contract of the jobs process, implemented in memory. A job is done as soon as a caller waits for it. */
export interface StandInJobs extends JobsService, Pick<JobTable, 'started' | 'put'> {
  readonly catalogue: Map<string, Backup>;
  readonly cancelled: string[];
  /** The error of the next awaited job. */
  failure: GamekeeperError | undefined;
  /** Whether an export that fails has sent data before. */
  sendsBeforeFailure: boolean;
  /** The users who saved schedules. */
  readonly owners: ScheduleOwner[];
  /** All calls about mods. */
  readonly modOrders: ModOrder[];
  /** The modpacks that servers were created from. */
  readonly modpacks: CreateFromModpack[];
  /** Notifies the watchers of a schedule's run. */
  tell(instanceId: string, run: ScheduleRun): void;
}

export async function standInJobs(folder: string): Promise<StandInJobs> {
  const catalogue = new Map<string, Backup>();
  const table = createJobTable();
  const archives: string[] = [];
  const file = path.join(folder, 'archive.zip');
  await writeFile(file, ARCHIVE);

  const jobs: StandInJobs = {
    ...FIXED_ANSWERS,
    ...table,
    ...backupCalls(catalogue, table, file),
    ...scheduleCalls(),
    catalogue,
    cancelled: [],
    modOrders: [],
    modpacks: [],
    failure: undefined,
    sendsBeforeFailure: false,
    async waitForJob(jobId) {
      const job = table.job(jobId)!;
      if (jobs.failure) throw jobs.failure;
      if (job.kind === 'backup') catalogue.set(BACKUP_ID, backupOf(job.instanceId));
      const done: Job = { ...job, state: 'done', percent: 100, endedAt: '2026-11-20T08:15:01.000Z' };
      table.put(done);
      return done;
    },
    cancel: (jobId) => void jobs.cancelled.push(jobId),
    async startClone({ instanceId }) {
      const job = table.begin('clone', instanceId);
      table.put({ ...job, newInstanceId: 'demo' });
      return job;
    },
    async startImport({ archive = '' }) {
      archives.push(archive);
      return table.begin('import', 'demo');
    },
    async startModpack(request) {
      jobs.modpacks.push(request);
      const job = table.begin('import', 'demo');
      table.put({ ...job, newInstanceId: 'demo' });
      return job;
    },
    imported: () => ({ id: 'demo', recognised: recognitionOf(archives.at(-1) ?? '') }),
    async startExport({ instanceId, socket }) {
      if (!jobs.failure || jobs.sendsBeforeFailure) connect(socket).end(ARCHIVE);
      return table.begin('export', instanceId);
    },
    async startFolderDownload({ instanceId, socket }) {
      connect(socket).end(ARCHIVE);
      return table.begin('export', instanceId);
    },
    startArchive: async ({ instanceId }) => table.begin('archive', instanceId),
    startExtract: async ({ instanceId }) => table.begin('extract', instanceId),
    startWorldReplacement: async ({ instanceId }) => table.begin('world', instanceId),
    startWorldReset: async ({ instanceId }) => table.begin('world', instanceId),
    async testStore(name) {
      if (name !== 'nas') throw new GamekeeperError('store_not_found', `There is no store "${name}" in the settings.`);
      if (jobs.failure) throw jobs.failure;
    },
    async startModChange({ instanceId, order }) {
      if (order.type === 'remove' && order.mod !== MOD.slug)
        throw new GamekeeperError('mod_not_found', `There is no "${order.mod}".`);
      jobs.modOrders.push(order);
      return table.begin('mods', instanceId);
    },
  };
  return jobs;
}

function backupCalls(catalogue: Map<string, Backup>, { begin, started }: JobTable, file: string) {
  function find({ instanceId, backupId }: { instanceId: string; backupId: string }): Backup {
    const found = catalogue.get(backupId);
    if (found?.instanceId !== instanceId)
      throw new GamekeeperError('backup_not_found', `There is no backup "${backupId}".`);
    return found;
  }

  return {
    async startBackup({ instanceId, cloudReplicate }) {
      const job = begin('backup', instanceId, BACKUP_ID);
      started[started.length - 1] = { kind: 'backup', instanceId, cloudReplicate };
      return job;
    },
    async startVerify(key) {
      find(key);
      return begin('verify', key.instanceId, key.backupId);
    },
    async startRestore({ restart, ...key }) {
      find(key);
      const job = begin('restore', key.instanceId, key.backupId);
      Object.assign(started.at(-1)!, restart && { restart });
      return job;
    },
    async startFileRestore({ paths, ...key }) {
      find(key);
      for (const one of paths) if (one !== FILE.name) throw noFile(one);
      return begin('restore', key.instanceId, key.backupId);
    },
    async startDrill(key) {
      const backup = find(key);
      const at = '2026-11-20T08:20:00.000Z';
      catalogue.set(key.backupId, {
        ...backup,
        lastDrill: { at, ok: true, durationMs: 9, fileCount: backup.fileCount },
      });
      return begin('drill', key.instanceId, key.backupId);
    },
    backups: async ({ instanceId, before = 'a', limit }) =>
      [...catalogue.values()]
        .filter((backup) => backup.instanceId === instanceId && backup.backupId < before)
        .toSorted((a, b) => (a.backupId < b.backupId ? 1 : -1))
        .slice(0, limit),
    backup: async (key) => find(key),
    archivePath(key) {
      find(key);
      return file;
    },
    async backupFiles({ path, skip, limit, ...key }) {
      find(key);
      if (path !== '') throw noFile(path);
      const entries = [backupFolder, { name: FILE.name, kind: 'file' as const, ...FILE_FACTS }];
      return { entries: entries.slice(skip, skip + limit), ...(skip + limit < 2 && { next: String(skip + limit) }) };
    },
    async compareBackup({ path, after, ...key }) {
      find(key);
      if (path !== '') throw noFile(path);
      const today = { kind: 'file' as const, ...FILE_FACTS };
      if (after !== undefined) return { differences: [] };
      return { differences: [{ path: 'new.txt', change: 'added' as const, today }], next: 'ne\u00e4 w.txt' };
    },
    async backupFile({ path, ...key }) {
      find(key);
      if (path !== FILE.name) throw noFile(path);
      return FILE_FACTS;
    },
    async sendBackupFile({ socket }) {
      connect(socket).end(FILE.content);
    },
    async setPinned({ pinned, ...key }) {
      const changed = { ...find(key), pinned };
      catalogue.set(key.backupId, changed);
      return changed;
    },
    async replicate(key) {
      const pending: Backup = {
        ...find(key),
        cloudStatus: 'pending',
        replicas: [{ store: 'nas', state: 'pending', encrypted: false, attempts: 0 }],
      };
      catalogue.set(key.backupId, pending);
      return pending;
    },
    async deleteBackup(key) {
      find(key);
      catalogue.delete(key.backupId);
    },
  } satisfies Partial<JobsService>;
}

const FILE = { name: 'server.properties', content: 'motd=hi' };
const FILE_FACTS = { sizeBytes: FILE.content.length, modifiedAt: '2026-11-20T08:15:00.000Z' };
const backupFolder = { name: 'world', kind: 'folder' as const, sizeBytes: 0, modifiedAt: FILE_FACTS.modifiedAt };

function noFile(path: string): GamekeeperError {
  return new GamekeeperError('file_not_found', `There is no file "${path}".`);
}

function scheduleCalls() {
  const runs = eventQueue<{ instanceId: string; run: ScheduleRun }>();
  const owners: ScheduleOwner[] = [];
  let schedules: Schedule[] = [];
  let saves = 0;
  return {
    owners,
    tell: (instanceId: string, run: ScheduleRun) => runs.publish({ instanceId, run }),
    schedules: async () => ({ schedules, version: String(saves) }),
    async setSchedules({ schedules: next, by }) {
      saves++;
      owners.push(by);
      schedules = next.map(({ id = 'new', timeZone = 'UTC', resume: _, ...rest }) => ({ id, timeZone, ...rest }));
      return { schedules, version: String(saves) };
    },
    async *watchScheduleRuns(signal) {
      yield* runs.subscribe(signal);
    },
  } satisfies Partial<StandInJobs>;
}
