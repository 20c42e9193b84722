import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { isMissing } from '../../../shared/node/files/is-missing.ts';
import type { LocalState, VerifyResponse } from '../../../shared/schema/backup.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { Phase } from '../queue/job-progress.ts';
import type { Pool } from '../resources/pool.ts';
import { missingArchive } from './archive-damage.ts';
import type { BackupStorage } from './backup-storage.ts';
import type { CatalogueEntry } from './catalogue/catalogue.ts';
import { manifestOf, writeManifest } from './catalogue/manifest.ts';
import { checkReplica } from './replication/check-replica.ts';

export interface VerifyOptions {
  storage: BackupStorage;
  pool: Pool;
}

export interface Verification {
  response: VerifyResponse;
  /** The error to fail the job with, if neither the archive nor any copy is whole. */
  failure: GamekeeperError | undefined;
}

/** Reads the archive from end to end (its hash, structure, every file's checksum), checks each copy, and records the result. */
export async function verifyBackup(entry: CatalogueEntry, run: JobRun, options: VerifyOptions): Promise<Verification> {
  const { catalogue, replicas } = options.storage;
  // A copy that was never made is not damaged.
  const rows = replicas.of(entry).filter(({ replicatedAt }) => replicatedAt !== null);
  const reading = run.phase(entry.sizeBytes + entry.sourceBytes);
  const checks = rows.flatMap(({ object, ...row }) =>
    object ? [{ row: { ...row, object }, phase: run.phase(object.sizeBytes) }] : [],
  );
  const { local, damage } = await verifyArchive(entry, { reading, signal: run.signal }, options);
  const copies: VerifyResponse['replicas'] = [];
  for (const check of checks) {
    const canHeal = damage === undefined;
    const error = await checkReplica({ ...check, signal: run.signal, canHeal }, options.storage);
    copies.push({ store: check.row.store, ok: error === undefined, ...(error !== undefined && { error }) });
  }
  const ok = damage === undefined && copies.every((copy) => copy.ok);
  catalogue.note(entry, { lastVerified: { at: new Date().toISOString(), ok } });
  const isLost = damage !== undefined && !copies.some((copy) => copy.ok);
  return {
    response: {
      ...{ ok, sha256: entry.sha256, replicas: copies },
      ...(local !== 'present' && { local }),
      ...(entry.omittedCount > 0 && { omitted: entry.omitted, omittedCount: entry.omittedCount }),
    },
    failure: isLost ? new GamekeeperError('backup_damaged', damage) : undefined,
  };
}

async function verifyArchive(
  entry: CatalogueEntry,
  { reading, signal }: { reading: Phase; signal: AbortSignal },
  { storage: { files, catalogue }, pool }: VerifyOptions,
): Promise<{ local: LocalState; damage?: string }> {
  const archive = files.pathOf(entry);
  if (await isMissing(archive)) {
    reading.end();
    return { local: 'missing', damage: missingArchive().message };
  }
  const { sha256, sourceBytes } = entry;
  const task = { archive, sha256, sourceBytes, progress: reading.progress.memory };
  const { damage } = await pool.run('verify', task, signal);
  reading.end();
  catalogue.note(entry, { localDamage: damage !== null });
  if (damage !== null) return { local: 'damaged', damage };
  if (await isMissing(manifestOf(archive))) await writeManifest(archive, entry);
  return { local: 'present' };
}
