/** One backup of one instance. */
export interface BackupKey {
  instanceId: string;
  backupId: string;
}
