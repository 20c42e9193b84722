import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { isMissing } from '../../../shared/node/files/is-missing.ts';
import type { LocalState, VerifyResponse } from '../../../shared/schema/backup.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { Phase } from '../queue/job-progress.ts';
import { missingArchive } from './archive-damage.ts';
import type { BackupParts } from './backup-parts.ts';
import type { CatalogueEntry } from './catalogue/catalogue.ts';
import { manifestOf, writeManifest } from './catalogue/manifest.ts';
import { checkReplica } from './replication/check-replica.ts';

/** What was found: the answer, and what is wrong with the archive on this machine, as a sentence. */
export interface Verification {
  response: VerifyResponse;
  /** What to fail with: no copy is whole. */
  failure: GamekeeperError | undefined;
}

/**
 * Looks at everything that there is of a backup, and puts what it finds on record: the archive on this machine, read from end to end (its
 * hash, its structure, every file's checksum), and each copy, where it lies.
 */
export async function verifyBackup(entry: CatalogueEntry, run: JobRun, parts: BackupParts): Promise<Verification> {
  // One that has never been there yet is no damage.
  const rows = parts.replicas.of(entry).filter(({ replicatedAt }) => replicatedAt !== null);
  const reading = run.phase(entry.sizeBytes + entry.sourceBytes);
  const checking = rows.flatMap(({ object, ...row }) =>
    object ? [{ row: { ...row, object }, phase: run.phase(object.sizeBytes) }] : [],
  );
  const { local, damage } = await verifyArchive(entry, { reading, signal: run.signal }, parts);
  const replicas: VerifyResponse['replicas'] = [];
  for (const one of checking) {
    const error = await checkReplica({ ...one, signal: run.signal, canHeal: damage === undefined }, parts);
    replicas.push({ store: one.row.store, ok: error === undefined, ...(error !== undefined && { error }) });
  }
  const ok = damage === undefined && replicas.every((one) => one.ok);
  parts.catalogue.note(entry, { lastVerified: { at: parts.now().toISOString(), ok } });
  const isLost = damage !== undefined && !replicas.some((one) => one.ok);
  return {
    response: { ok, sha256: entry.sha256, ...(local !== 'present' && { local }), replicas },
    failure: isLost ? new GamekeeperError('backup_damaged', damage) : undefined,
  };
}

async function verifyArchive(
  entry: CatalogueEntry,
  { reading, signal }: { reading: Phase; signal: AbortSignal },
  { files, pool, catalogue }: BackupParts,
): Promise<{ local: LocalState; damage?: string }> {
  const archive = files.pathOf(entry);
  if (await isMissing(archive)) {
    reading.end();
    return { local: 'missing', damage: missingArchive().message };
  }
  const { sha256, sourceBytes } = entry;
  const { damage } = await pool.run(
    'verify',
    { archive, sha256, sourceBytes, progress: reading.progress.memory },
    signal,
  );
  reading.end();
  catalogue.note(entry, { localDamage: damage !== null });
  if (damage !== null) return { local: 'damaged', damage };
  if (await isMissing(manifestOf(archive))) await writeManifest(archive, entry);
  return { local: 'present' };
}
