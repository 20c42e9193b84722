export const CLOUD_STATUSES = ['disabled', 'not_configured', 'pending', 'replicated', 'partial', 'failed'] as const;
export type CloudStatus = (typeof CLOUD_STATUSES)[number];

/** The state of one copy. `missing` and `damaged` are found by a verification. */
export const REPLICA_STATES = ['pending', 'copying', 'replicated', 'failed', 'missing', 'damaged'] as const;
export type ReplicaState = (typeof REPLICA_STATES)[number];

/** `wanted`: whether the backup should have copies. */
export function cloudStatusOf(wanted: boolean, replicas: readonly ReplicaState[]): CloudStatus {
  if (!wanted) return 'disabled';
  if (replicas.length === 0) return 'not_configured';
  if (replicas.some((state) => state === 'pending' || state === 'copying')) return 'pending';
  if (replicas.every((state) => state === 'replicated')) return 'replicated';
  return replicas.includes('replicated') ? 'partial' : 'failed';
}
