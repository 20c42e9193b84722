/** Where a backup's copies stand, as one word for BackupResponse.cloudStatus (api.md, Backup). */
export const CLOUD_STATUSES = ['disabled', 'not_configured', 'pending', 'replicated', 'partial', 'failed'] as const;
export type CloudStatus = (typeof CLOUD_STATUSES)[number];

/** Where one copy stands: waiting, under way, there, not yet there in spite of a try, or found gone or wrong when it was looked at. */
export const REPLICA_STATES = ['pending', 'copying', 'replicated', 'failed', 'missing', 'damaged'] as const;
export type ReplicaState = (typeof REPLICA_STATES)[number];

/** The one word for the copies of a backup that should (`wanted`) or should not have any. */
export function cloudStatusOf(wanted: boolean, replicas: readonly ReplicaState[]): CloudStatus {
  if (!wanted) return 'disabled';
  if (replicas.length === 0) return 'not_configured';
  if (replicas.some((state) => state === 'pending' || state === 'copying')) return 'pending';
  if (replicas.every((state) => state === 'replicated')) return 'replicated';
  return replicas.includes('replicated') ? 'partial' : 'failed';
}
