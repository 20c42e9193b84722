import { cloudStatusOf } from '../../../../shared/domain/backups/cloud-status.ts';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import type { Backup, LocalState, Replica } from '../../../../shared/schema/backup.ts';
import type { Job } from '../../../../shared/schema/job.ts';
import type { KeptReplica } from '../replication/replicas.ts';
import type { ArchiveFiles } from './archive-files.ts';
import type { CatalogueEntry } from './catalogue.ts';

/** Returns a backup as the API shows it. `transfers` are the instance's jobs, some of which may be copying this backup. */
export async function toBackup(
  entry: CatalogueEntry,
  { rows, transfers, files }: { rows: readonly KeptReplica[]; transfers: readonly Job[]; files: ArchiveFiles },
): Promise<Backup> {
  const { file: _, cloudReplicate, findings, ...backup } = entry;
  const { localDamage: __, ...known } = findings;
  const own = rows.filter(({ backupId }) => backupId === entry.backupId);
  const replicas = own.map((row) => toReplica(row, transferOf(row, transfers)));
  return {
    ...backup,
    ...known,
    cloudStatus: cloudStatusOf(
      cloudReplicate,
      replicas.map(({ state }) => state),
    ),
    local: await localState(entry, files),
    replicas,
  };
}

export async function localState(
  { file, findings }: Pick<CatalogueEntry, 'file' | 'findings'>,
  files: Pick<ArchiveFiles, 'pathOf'>,
): Promise<LocalState> {
  if (await isMissing(files.pathOf({ file }))) return 'missing';
  return findings.localDamage ? 'damaged' : 'present';
}

function transferOf({ instanceId, backupId, store }: KeptReplica, transfers: readonly Job[]): Job | undefined {
  return transfers.find(
    (job) =>
      job.instanceId === instanceId && job.backupId === backupId && job.store === store && job.state === 'running',
  );
}

function toReplica(row: KeptReplica, transfer: Job | undefined): Replica {
  const { store, object, attempts, error, nextAttemptAt, replicatedAt, checkedAt } = row;
  const known = {
    store,
    encrypted: object?.key.endsWith('.age') ?? false,
    ...(object && { sizeBytes: object.sizeBytes }),
    attempts,
  };
  if (transfer) return { ...known, state: 'copying', percent: transfer.percent, jobId: transfer.jobId };
  return {
    ...known,
    state: row.state,
    ...(error !== null && { error }),
    ...(nextAttemptAt !== null && nextAttemptAt > 0 && { nextAttemptAt: new Date(nextAttemptAt).toISOString() }),
    ...(replicatedAt !== null && { replicatedAt }),
    ...(checkedAt !== null && { checkedAt }),
  };
}
