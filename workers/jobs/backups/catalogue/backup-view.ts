import { cloudStatusOf } from '../../../../shared/domain/backups/cloud-status.ts';
import { isMissing } from '../../../../shared/node/files/is-missing.ts';
import type { Backup, LocalState, Replica } from '../../../../shared/schema/backup.ts';
import type { Job } from '../../../../shared/schema/job.ts';
import type { KeptReplica } from '../replication/replicas.ts';
import type { ArchiveFiles } from './archive-files.ts';
import type { CatalogueEntry } from './catalogue.ts';

/** Returns backups of one instance as the API shows them. `transfers` are its jobs, some of which may be copying one of them. */
export async function toBackups(
  entries: readonly CatalogueEntry[],
  { rows, transfers, files }: { rows: readonly KeptReplica[]; transfers: readonly Job[]; files: ArchiveFiles },
): Promise<Backup[]> {
  const existing = await files.existing(entries);
  const replicas = Map.groupBy(rows, ({ backupId }) => backupId);
  return entries.map((entry) =>
    toBackup(entry, {
      own: replicas.get(entry.backupId) ?? [],
      transfers,
      local: stateOf(entry, existing.has(files.pathOf(entry))),
    }),
  );
}

function toBackup(
  entry: CatalogueEntry,
  { own, transfers, local }: { own: readonly KeptReplica[]; transfers: readonly Job[]; local: LocalState },
): Backup {
  const { file: _, cloudReplicate, findings, ...backup } = entry;
  const { localDamage: __, ...known } = findings;
  const replicas = own.map((row) => toReplica(row, transferOf(row, transfers)));
  return {
    ...backup,
    ...known,
    cloudStatus: cloudStatusOf(
      cloudReplicate,
      replicas.map(({ state }) => state),
    ),
    local,
    replicas,
  };
}

export async function localState(
  entry: Pick<CatalogueEntry, 'file' | 'findings'>,
  files: Pick<ArchiveFiles, 'pathOf'>,
): Promise<LocalState> {
  return stateOf(entry, !(await isMissing(files.pathOf(entry))));
}

function stateOf({ findings }: Pick<CatalogueEntry, 'findings'>, exists: boolean): LocalState {
  if (!exists) return 'missing';
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
