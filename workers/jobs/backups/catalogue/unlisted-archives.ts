import { stat } from 'node:fs/promises';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import type { JobRun } from '../../queue/job-entry.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { BackupKey } from '../backup-key.ts';
import type { BackupParts } from '../backup-parts.ts';
import { isDamage } from '../is-damage.ts';
import type { FoundArchive } from './archive-files.ts';
import type { NewEntry } from './catalogue.ts';
import { type Manifest, manifestOf, readManifest, writeManifest } from './manifest.ts';

/** Archives that turned out to be damaged, by path, and what they looked like then. */
export type DamagedArchives = Map<string, string>;

/**
 * Takes archives into the catalogue that lie in the backups folder and that nobody knows of, since the database was lost or somebody has
 * put them there, each after it was read from end to end. What its manifest says must be true; one without is taken for what it is,
 * unless it could do harm. Those that are damaged are left where they are, and not read again until they, or what their manifests say, have
 * changed. Never throws.
 */
export async function catalogueArchives(
  directory: string | undefined,
  { queue, damaged, ...parts }: BackupParts & { queue: JobQueue; damaged: DamagedArchives },
): Promise<void> {
  const unknown = (await parts.files.find(directory)).filter((found) => !parts.catalogue.has(found));
  for (const found of unknown) {
    const { instanceId, backupId, archive } = found;
    const state = await stateOf(archive);
    if (damaged.get(archive) === state) continue;
    const { jobId } = queue.add({
      kind: 'verify',
      instanceId,
      backupId,
      queued: true,
      work: (run) => adopt(found, run, parts),
    });
    try {
      await queue.wait(jobId, NEVER);
      parts.log.info({ instance: instanceId, backup: backupId }, 'an archive without a record is in the catalogue now');
    } catch (error) {
      if (error instanceof GamekeeperError && error.code === 'shutting_down') return;
      if (isDamage(error)) damaged.set(archive, state);
      parts.log.warn(
        { err: error, instance: instanceId, backup: backupId },
        'an archive without a record stays without',
      );
    }
  }
}

/** Size and time, of an archive and of its manifest; empty where there is none. */
async function stateOf(archive: string): Promise<string> {
  const files = [archive, manifestOf(archive)];
  const found = await Promise.all(files.map((file) => stat(file).catch(() => undefined))); // not there
  return found.map((stats) => (stats ? `${stats.size} ${stats.mtimeMs}` : '')).join(', ');
}

const NEVER = new AbortController().signal;

async function adopt({ archive, ...key }: FoundArchive, run: JobRun, parts: BackupParts): Promise<void> {
  const { catalogue, files } = parts;
  const manifest = await readManifest(archive);
  if (manifest && (manifest.instanceId !== key.instanceId || manifest.backupId !== key.backupId))
    throw new GamekeeperError('backup_damaged', 'The manifest beside the archive is that of another backup.');
  const size = (await stat(archive)).size;
  const phase = run.phase(size + (manifest?.sourceBytes ?? size));
  const reading = { archive, memory: phase.progress.memory, signal: run.signal };
  const facts = manifest ? await proven(manifest, reading, parts) : await inspected(key, reading, parts);
  // Deleted while it was read.
  if (catalogue.has(key) || (await isMissing(archive))) return;
  catalogue.add({ ...facts, file: files.toFile(archive) }, await storesFor(facts, parts));
  catalogue.publish(key);
  if (!manifest) await writeManifest(archive, { ...facts, file: files.toFile(archive) });
}

interface Reading {
  archive: string;
  memory: SharedArrayBuffer;
  signal: AbortSignal;
}

async function proven(
  manifest: Manifest,
  { archive, memory, signal }: Reading,
  { pool }: BackupParts,
): Promise<Manifest> {
  const { sha256, sourceBytes } = manifest;
  const { damage } = await pool.run('verify', { archive, sha256, sourceBytes, progress: memory }, signal);
  if (damage !== null) throw new GamekeeperError('backup_damaged', damage);
  return manifest;
}

/** Whoever made it did not say more than the archive and its name do. */
async function inspected(
  { instanceId, backupId }: BackupKey,
  { archive, memory, signal }: Reading,
  { pool }: BackupParts,
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
    cloudReplicate: false,
  };
}

/** `20261120T081500Z-4f9c2a` as an ISO time. */
function timeOf(backupId: string): string {
  return backupId.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, '$1-$2-$3T$4:$5:$6.000Z');
}

/** What may have been copied before is found there, and not copied twice. */
async function storesFor({ cloudReplicate }: Pick<NewEntry, 'cloudReplicate'>, { settings }: BackupParts) {
  return cloudReplicate ? ((await settings()).backups.stores ?? []).map(({ name }) => name) : [];
}
