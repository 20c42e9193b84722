import { stat } from 'node:fs/promises';
import { GamekeeperError, isGamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import type { Logger } from '../../../../shared/node/logger.ts';
import type { JobRun } from '../../queue/job-entry.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { Pool } from '../../resources/pool.ts';
import { isDamage } from '../archive-damage.ts';
import type { BackupStorage } from '../backup-storage.ts';
import type { BackupKey, FoundArchive } from './archive-files.ts';
import { type Manifest, manifestOf, readManifest, writeManifest } from './manifest.ts';

/** The state (see `stateOf`) in which an archive was found to be damaged, by its path. */
export type DamagedArchives = Map<string, string>;

export interface UnlistedArchivesOptions {
  storage: BackupStorage;
  pool: Pool;
  queue: JobQueue;
  damaged: DamagedArchives;
  log: Logger;
}

/**
 * Adds archives in the backups folder that the catalogue does not list: the database was lost, or somebody copied them there. Each is read
 * from end to end first. It must match its manifest; without one it must be safe to unpack. Damaged archives stay where they are and are
 * not read again until they or their manifests change. Never throws.
 */
export async function addUnlistedArchives(options: UnlistedArchivesOptions): Promise<void> {
  const { storage, queue, damaged, log } = options;
  const { directory } = await storage.settings();
  const unlisted = (await storage.files.find(directory)).filter((found) => !storage.catalogue.has(found));
  for (const found of unlisted) {
    const { instanceId, backupId, archive } = found;
    const state = await stateOf(archive);
    if (damaged.get(archive) === state) continue;
    const work = (run: JobRun) => addArchive(found, run, options);
    const { jobId } = queue.add({ kind: 'verify', instanceId, backupId, queued: true, work });
    try {
      await queue.wait(jobId, NEVER);
      log.info({ instance: instanceId, backup: backupId }, 'added an unlisted archive to the catalogue');
    } catch (error) {
      if (isGamekeeperError(error, 'shutting_down')) return;
      if (isDamage(error)) damaged.set(archive, state);
      log.warn({ err: error, instance: instanceId, backup: backupId }, 'could not add an unlisted archive');
    }
  }
}

const NEVER = new AbortController().signal;

async function stateOf(archive: string): Promise<string> {
  const files = [archive, manifestOf(archive)];
  const found = await Promise.all(files.map((file) => stat(file).catch(() => undefined))); // not there
  return found.map((stats) => (stats ? `${stats.size} ${stats.mtimeMs}` : '')).join(', ');
}

async function addArchive(
  { archive, ...key }: FoundArchive,
  run: JobRun,
  { storage, pool }: UnlistedArchivesOptions,
): Promise<void> {
  const { catalogue, files } = storage;
  const manifest = await readManifest(archive);
  if (manifest && (manifest.instanceId !== key.instanceId || manifest.backupId !== key.backupId))
    throw new GamekeeperError('backup_damaged', 'The manifest beside the archive belongs to another backup.');
  const size = (await stat(archive)).size;
  const phase = run.phase(size + (manifest?.sourceBytes ?? size));
  const reading = { archive, memory: phase.progress.memory, signal: run.signal };
  const facts = manifest ? await verified(manifest, reading, pool) : await inspected(key, reading, pool);
  // It may have been deleted while it was read.
  if (catalogue.has(key) || (await isMissing(archive))) return;
  const entry = { ...facts, file: files.toFile(archive) };
  // An earlier copy is found in its store and not uploaded again.
  const stores = facts.cloudReplicate ? ((await storage.settings()).stores ?? []) : [];
  catalogue.add(
    entry,
    stores.map(({ name }) => name),
  );
  catalogue.publish(key);
  if (!manifest) await writeManifest(archive, entry);
}

interface Reading {
  archive: string;
  memory: SharedArrayBuffer;
  signal: AbortSignal;
}

async function verified(manifest: Manifest, { archive, memory, signal }: Reading, pool: Pool): Promise<Manifest> {
  const { sha256, sourceBytes } = manifest;
  const { damage } = await pool.run('verify', { archive, sha256, sourceBytes, progress: memory }, signal);
  if (damage !== null) throw new GamekeeperError('backup_damaged', damage);
  return manifest;
}

/** Without a manifest, the archive and its name are the only sources. */
async function inspected(
  { instanceId, backupId }: BackupKey,
  { archive, memory, signal }: Reading,
  pool: Pool,
): Promise<Manifest> {
  const facts = await pool.run('inspect', { archive, progress: memory }, signal);
  return {
    instanceId,
    backupId,
    ...facts,
    createdAt: timeOf(backupId),
    reason: 'manual',
    software: 'unknown',
    version: 'unknown',
    durationMs: 0,
    quiesced: false,
    pinned: false,
    changedFiles: [],
    skippedCount: 0,
    omitted: [],
    omittedCount: 0,
    cloudReplicate: false,
  };
}

/** `20261120T081500Z-4f9c2a` as an ISO time. */
function timeOf(backupId: string): string {
  return backupId.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, '$1-$2-$3T$4:$5:$6.000Z');
}
