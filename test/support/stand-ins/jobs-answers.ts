import type { JobsService } from '../../../shared/contract/jobs.ts';
import type { JobsStats } from '../../../shared/contract/stats.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Backup } from '../../../shared/schema/backup.ts';
import type { Recognition } from '../../../shared/schema/import.ts';
import type { ScheduleRun } from '../../../shared/schema/schedule.ts';
import { PROCESS_STATS } from './process-stats.ts';

export const BACKUP_ID = '20261120T081500Z-4f9c2a';
export const ARCHIVE = Buffer.from('PK this stands for a ZIP archive');
/** The skin of every player. */
export const TEXTURE = 'c'.repeat(64);
export const SKIN = Buffer.from('this stands for a PNG');
const ARCHIVE_SHA256 = 'b'.repeat(64);

/** The process stats that the stand-in reports. */
const STATS: JobsStats = {
  process: { ...PROCESS_STATS, pid: 4712 },
  waiting: 2,
  running: 1,
  backups: [
    {
      ...{ instanceId: 'demo', count: 3, bytes: 3_000 },
      newest: { at: 1_795_000_000_000, durationMs: 1_500, bytes: 1_000, omitted: 0 },
    },
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

export const MOD = {
  file: 'lithium.jar',
  enabled: true,
  sizeBytes: 10,
  name: 'Lithium',
  version: '0.15.0',
  projectId: 'gvQqBUqZ',
  slug: 'lithium',
};

/** The calls of the jobs process that return the same result in every test. */
export const FIXED_ANSWERS = {
  async *provision() {
    yield { done: {} };
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
  verification: () => ({ ok: true, sha256: ARCHIVE_SHA256, replicas: [] }),
  stats: () => STATS,
  pausedSchedules: async () => ['demo'],
  scheduleHistory: () => RUNS,
  async mods(instanceId) {
    if (instanceId !== 'demo') throw new GamekeeperError('mods_unsupported', 'It has no mods.');
    return { folder: 'mods', loaders: ['fabric'], mods: [MOD] };
  },
  async searchMods({ query, offset, limit }) {
    const { projectId, slug, name: title } = MOD;
    const hit = { projectId, slug, title, description: query, author: 'Anna', downloads: 7, installed: true };
    return { hits: [hit], offset, limit, total: 1 };
  },
  async searchModpacks({ query, offset, limit }) {
    const hit = { projectId: 'Pack', slug: 'pack', title: 'Pack', description: query, author: 'Anna', downloads: 7 };
    return { hits: [hit], offset, limit, total: 1 };
  },
  async modpackVersions(project) {
    if (project !== 'pack') throw new GamekeeperError('mod_not_found', `Modrinth has no modpack "${project}".`);
    const publishedAt = '2026-11-20T08:15:00.000Z';
    const one = { versionId: 'Pack1', version: '1', channel: 'release' as const, publishedAt };
    return [{ ...one, gameVersions: ['1.21.8'], loaders: ['fabric'], suggestedMemoryMb: 4_096 }];
  },
  modChanges: () => ({
    state: 'done',
    changes: [{ action: 'install', name: MOD.name, file: MOD.file }],
    notes: [],
  }),
  skins: async (uuids) => ({ found: uuids.map((uuid) => ({ uuid, texture: TEXTURE })), pending: false }),
  skin: async (texture) => (texture === TEXTURE ? SKIN : null),
  forgetInstance: async () => undefined,
} satisfies Partial<JobsService>;

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
    omitted: [],
    omittedCount: 0,
    local: 'present',
    replicas: [],
  };
}

export function recognitionOf(directory: string): Recognition {
  const software = { value: 'paper', from: 'server.jar', sure: 'certain' } as const;
  return { directory, software, notes: [], missing: [{ field: 'version', reason: 'nothing says it.' }] };
}
