export const BACKUP_ID_PATTERN = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

/** Hex digits 000 to fff, as many as a second has parts in a backup's id. */
const PARTS_OF_A_SECOND = 4096;

/**
 * Backup ids sort by time: `20261120T081500Z-4f9c2a`. The first three of the six hex digits are the part of the second; `random` is the
 * other three, which tell two of one moment apart.
 */
export function backupId(at: Date, random: string): string {
  const compact = at.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
  const part = Math.floor((at.getUTCMilliseconds() * PARTS_OF_A_SECOND) / 1000);
  return `${compact}-${part.toString(16).padStart(3, '0')}${random}`;
}
