/** Where a backup's copies stand, as one word for BackupResponse.cloudStatus (api.md, Backup). */
export const CLOUD_STATUSES = ['disabled', 'not_configured', 'pending', 'replicated', 'partial', 'failed'] as const;
