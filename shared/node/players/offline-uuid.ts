import { createHash } from 'node:crypto';

/** Returns a player's UUID in offline mode: Java's `UUID.nameUUIDFromBytes` of `OfflinePlayer:<name>` (version 3, MD5). Case matters. */
export function offlineUuid(name: string): string {
  const digest = createHash('md5').update(`OfflinePlayer:${name}`, 'utf8').digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x30, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  return digest.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
