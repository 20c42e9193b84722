import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import type { JobEvent, JobsService, ModOrder, ScheduleOwner } from '../../../shared/contract/jobs.ts';
import type { JobsStats } from '../../../shared/contract/stats.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Backup } from '../../../shared/schema/backup.ts';
import type { Recognition } from '../../../shared/schema/import.ts';
import type { Job } from '../../../shared/schema/job.ts';
import type { Schedule, ScheduleRun } from '../../../shared/schema/schedule.ts';
import { eventQueue } from '../http/event-queue.ts';
import { PROCESS_STATS } from './process-stats.ts';

export const BACKUP_ID = '20261120T081500Z-4f9c2a';
export const ARCHIVE = Buffer.from('PK this stands for a ZIP archive');
export const ARCHIVE_SHA256 = 'b'.repeat(64);

/** The process stats that the stand-in reports. */
const FIGURES: JobsStats = {
  process: { ...PROCESS_STATS, pid: 4712 },
  waiting: 2,
  running: 1,
  backups: [
    { instanceId: 'demo', count: 3, bytes: 3_000, newest: { at: 1_795_000_000_000, durationMs: 1_500, bytes: 1_000 } },
  ],
  attempts: [{ instanceId: 'demo', made: 4, failed: 1 }],
};

const RUNS: ScheduleRun[] = [
  {
    scheduleId: 'nightly',
    name: 'Nightly',
    action: 'backup',
    plannedAt: '2026-11-20T04:00:00.000Z',
    startedAt: '2026-11-20T04:00:00.000Z',
    endedAt: '2026-11-20T04:01:00.000Z',
    result: 'done',
    backupId: BACKUP_ID,
  },
];

const MOD = {
  file: 'lithium.jar',
  enabled: true,
  sizeBytes: 10,
  name: 'Lithium',
  version: '0.15.0',
  projectId: 'gvQqBUqZ',
  slug: 'lithium',
};

/** The contract of the jobs process, implemented in memory. A job is done as soon as a caller waits for it. */
export interface StandInJobs extends JobsService {
  readonly catalogue: Map<string, Backup>;
  readonly cancelled: string[];
  readonly started: { kind: Job['kind']; instanceId: string; cloudReplicate?: boolean }[];
  /** The error of the next awaited job. */
  failure: GamekeeperError | undefined;
  /** Whether an export that fails has already sent data. */
  sendsBeforeFailure: boolean;
  /** Changes a job and notifies its watchers. */
  put(job: Job): void;
  /** The users who saved schedules. */
  readonly owners: ScheduleOwner[];
  /** All calls about mods. */
  readonly modOrders: ModOrder[];
  /** Notifies the watchers of a schedule's run. */
  tell(instanceId: string, run: ScheduleRun): void;
}

export async function standInJobs(folder: string): Promise<StandInJobs> {
  const catalogue = new Map<string, Backup>();
  const known = new Map<string, Job>();
  const started: StandInJobs['started'] = [];
  const cancelled: string[] = [];
  const events = eventQueue<JobEvent>();
  const runs = eventQueue<{ instanceId: string; run: ScheduleRun }>();
  const owners: ScheduleOwner[] = [];
  const archives: string[] = [];
  const modOrders: ModOrder[] = [];
  let schedules: Schedule[] = [];
  let saves = 0;
  const file = path.join(folder, 'archive.zip');
  await writeFile(file, ARCHIVE);

  function find({ instanceId, backupId }: { instanceId: string; backupId: string }): Backup {
    const found = catalogue.get(backupId);
    if (found?.instanceId !== instanceId)
      throw new GamekeeperError('backup_not_found', `There is no backup "${backupId}".`);
    return found;
  }

  function begin(kind: Job['kind'], instanceId: string, backupId?: string): Job {
    const job: Job = {
      jobId: `j${known.size + 1}`,
      kind,
      instanceId,
      state: 'running',
      percent: 0,
      bytesDone: 0,
      bytesTotal: 0,
      createdAt: '2026-11-20T08:15:00.000Z',
      ...(backupId !== undefined && { backupId }),
    };
    put(job);
    started.push({ kind, instanceId });
    return job;
  }

  function put(job: Job): void {
    known.set(job.jobId, job);
    events.publish({ type: 'changed', job });
  }

  const jobs: StandInJobs = {
    catalogue,
    cancelled,
    started,
    failure: undefined,
    sendsBeforeFailure: false,
    put,
    owners,
    modOrders,
    tell: (instanceId, run) => runs.publish({ instanceId, run }),
    async *provision() {
      yield { done: {} };
    },
    async startClone({ instanceId }) {
      const job = begin('clone', instanceId);
      put({ ...job, newInstanceId: 'demo' });
      return job;
    },
    async startImport({ archive = '' }) {
      archives.push(archive);
      return begin('import', 'demo');
    },
    imported: () => ({ id: 'demo', recognised: recognitionOf(archives.at(-1) ?? '') }),
    async startExport({ instanceId, socket }) {
      if (!jobs.failure || jobs.sendsBeforeFailure) connect(socket).end(ARCHIVE);
      return begin('export', instanceId);
    },
    async recognise({ directory, archive }) {
      return recognitionOf(directory ?? archive ?? '');
    },
    async importFolder({ directory }) {
      return { id: 'demo', recognised: recognitionOf(directory ?? '') };
    },
    async softwareVersions(kind) {
      if (kind === 'demo') throw new GamekeeperError('software_not_found', `No vendor lists versions of "${kind}".`);
      const versions = [
        { version: '1.21.8', stable: true },
        { version: '1.21.8-rc1', stable: false },
      ];
      return { kind, fetchedAt: '2026-11-20T08:15:00.000Z', ageSeconds: 60, stale: false, versions };
    },
    async runtimes() {
      const sizeBytes = 120_000_000;
      return [
        { javaVersion: '17', release: '17.0.15', sizeBytes, usedBy: [] },
        { javaVersion: '21', release: '21.0.9', sizeBytes, usedBy: ['demo'] },
      ];
    },
    async updateRuntime(javaVersion) {
      if (javaVersion !== '21') throw new GamekeeperError('runtime_not_found', `Java ${javaVersion} is not installed.`);
      return { javaVersion, release: 'jdk-21.0.9+10', updated: true };
    },
    async removeRuntimes({ javaVersion }) {
      if (javaVersion === undefined || javaVersion === '17') return ['17'];
      throw new GamekeeperError('runtime_not_found', `Java ${javaVersion} is not installed.`);
    },
    async startBackup({ instanceId, cloudReplicate }) {
      const job = begin('backup', instanceId, BACKUP_ID);
      started[started.length - 1] = { kind: 'backup', instanceId, cloudReplicate };
      return job;
    },
    async startVerify(key) {
      find(key);
      return begin('verify', key.instanceId, key.backupId);
    },
    async startRestore(key) {
      find(key);
      return begin('restore', key.instanceId, key.backupId);
    },
    async waitForJob(jobId) {
      const job = known.get(jobId)!;
      if (jobs.failure) throw jobs.failure;
      if (job.kind === 'backup') catalogue.set(BACKUP_ID, backupOf(job.instanceId));
      const done: Job = { ...job, state: 'done', percent: 100, endedAt: '2026-11-20T08:15:01.000Z' };
      put(done);
      return done;
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
    verification: () => ({ ok: true, sha256: ARCHIVE_SHA256, replicas: [] }),
    jobs: () => [...known.values()],
    job: (jobId) => known.get(jobId) ?? null,
    async *watchJobs(signal) {
      const changes = events.subscribe(signal);
      yield { type: 'snapshot', jobs: [...known.values()] };
      yield* changes;
    },
    async testStore(name) {
      if (name !== 'nas') throw new GamekeeperError('store_not_found', `There is no store "${name}" in the settings.`);
      if (jobs.failure) throw jobs.failure;
    },
    stats: () => FIGURES,
    cancel: (jobId) => void cancelled.push(jobId),
    backups: async (instanceId) => [...catalogue.values()].filter((backup) => backup.instanceId === instanceId),
    backup: async (key) => find(key),
    archivePath(key) {
      find(key);
      return file;
    },
    async setPinned({ pinned, ...key }) {
      const changed = { ...find(key), pinned };
      catalogue.set(key.backupId, changed);
      return changed;
    },
    async replicate(key) {
      const asked: Backup = {
        ...find(key),
        cloudStatus: 'pending',
        replicas: [{ store: 'nas', state: 'pending', encrypted: false, attempts: 0 }],
      };
      catalogue.set(key.backupId, asked);
      return asked;
    },
    async deleteBackup(key) {
      find(key);
      catalogue.delete(key.backupId);
    },
    schedules: async () => ({ schedules, version: String(saves) }),
    async setSchedules({ schedules: next, by }) {
      saves++;
      owners.push(by);
      schedules = next.map(({ id = 'new', timeZone = 'UTC', ...rest }) => ({ id, timeZone, ...rest }));
      return { schedules, version: String(saves) };
    },
    scheduleHistory: () => RUNS,
    async *watchScheduleRuns(signal) {
      yield* runs.subscribe(signal);
    },
    async mods(instanceId) {
      if (instanceId !== 'demo') throw new GamekeeperError('mods_unsupported', 'It has no mods.');
      return { folder: 'mods', loaders: ['fabric'], mods: [MOD] };
    },
    async searchMods({ query, offset, limit }) {
      const { projectId, slug, name: title } = MOD;
      const hit = { projectId, slug, title, description: query, author: 'Anna', downloads: 7, installed: true };
      return { hits: [hit], offset, limit, total: 1 };
    },
    async startModChange({ instanceId, order }) {
      if (order.type === 'remove' && order.mod !== MOD.slug)
        throw new GamekeeperError('mod_not_found', `There is no "${order.mod}".`);
      modOrders.push(order);
      return begin('mods', instanceId);
    },
    modChanges: () => ({
      state: 'done',
      changes: [{ action: 'install', name: MOD.name, file: MOD.file }],
      notes: [],
    }),
    forgetInstance: async () => undefined,
  };
  return jobs;
}

export function backupOf(instanceId: string): Backup {
  return {
    backupId: BACKUP_ID,
    instanceId,
    createdAt: '2026-11-20T08:15:00.000Z',
    sizeBytes: ARCHIVE.length,
    sha256: ARCHIVE_SHA256,
    cloudStatus: 'not_configured',
    reason: 'manual',
    software: 'demo',
    version: '1.0',
    durationMs: 12,
    fileCount: 3,
    sourceBytes: 100,
    quiesced: true,
    pinned: false,
    changedFiles: [],
    skippedCount: 1,
    local: 'present',
    replicas: [],
  };
}

function recognitionOf(directory: string): Recognition {
  const software = { value: 'paper', from: 'server.jar', sure: 'certain' } as const;
  return { directory, software, notes: [], missing: [{ field: 'version', reason: 'nothing says it.' }] };
}
