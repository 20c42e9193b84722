export const BACKUP_ID_PATTERN = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

/** Backup ids sort by time: `20261120T081500Z-4f9c2a`. `random` is six hex digits that tell two backups of one second apart. */
export function backupId(at: Date, random: string): string {
  const compact = at.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
  return `${compact}-${random}`;
}
