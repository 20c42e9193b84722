export const BACKUP_ID_PATTERN = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

/** Three hex digits of the id are the fraction of a second. */
const PARTS_OF_A_SECOND = 4096;

/**
 * Returns a backup id, which sorts by time: `20261120T081500Z-4f9c2a`. `random` is three hex digits that distinguish ids of the same
 * moment.
 */
export function backupId(at: Date, random: string): string {
  const compact = at.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
  const part = Math.floor((at.getUTCMilliseconds() * PARTS_OF_A_SECOND) / 1000);
  return `${compact}-${part.toString(16).padStart(3, '0')}${random}`;
}
