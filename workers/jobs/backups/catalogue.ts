import type { DatabaseSync } from 'node:sqlite';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Backup } from '../../../shared/schema/backup.ts';

export interface BackupKey {
  instanceId: string;
  backupId: string;
}

/** A backup with what only this process needs to know. */
export interface CatalogueEntry extends Omit<Backup, 'cloudStatus'> {
  /** The archive: relative to the data directory where it is in there, so that this one can be moved; else absolute. */
  file: string;
  /** Whether copies in stores were asked for. */
  cloudReplicate: boolean;
}

/** A row whose archive may be there or not, after a crash. */
export type UnfinishedEntry = CatalogueEntry & { state: 'writing' | 'deleting' };

/**
 * What backups there are. A row is `writing` from before its archive gets its final name until after that, and `deleting` likewise, so
 * that after any crash row and file can be made to agree (sweep.ts). Only what is `ready` exists for others.
 */
export interface Catalogue {
  /** Newest first. */
  list(instanceId: string): CatalogueEntry[];
  /** Throws `backup_not_found`. */
  get(key: BackupKey): CatalogueEntry;
  /** Records a backup whose archive is about to get its name. */
  add(entry: CatalogueEntry): void;
  publish(key: BackupKey): void;
  setPinned(key: BackupKey, pinned: boolean): void;
  /** The archive is about to be deleted. */
  retract(key: BackupKey): void;
  remove(key: BackupKey): void;
  unfinished(): UnfinishedEntry[];
}

export function openCatalogue(database: DatabaseSync): Catalogue {
  const select = 'SELECT state, pinned, entry FROM backup';
  const list = database.prepare(`${select} WHERE instance_id = ? AND state = 'ready' ORDER BY backup_id DESC`);
  const find = database.prepare(`${select} WHERE instance_id = ? AND backup_id = ? AND state = 'ready'`);
  const insert = database.prepare(
    "INSERT INTO backup (instance_id, backup_id, state, pinned, entry) VALUES (?, ?, 'writing', ?, ?)",
  );
  const setState = database.prepare('UPDATE backup SET state = ? WHERE instance_id = ? AND backup_id = ?');
  const pin = database.prepare('UPDATE backup SET pinned = ? WHERE instance_id = ? AND backup_id = ?');
  const remove = database.prepare('DELETE FROM backup WHERE instance_id = ? AND backup_id = ?');
  const unfinished = database.prepare(`${select} WHERE state <> 'ready'`);
  return {
    list: (instanceId) => list.all(instanceId).map(toEntry),
    get({ instanceId, backupId }) {
      const row = find.get(instanceId, backupId);
      if (!row) throw new GamekeeperError('backup_not_found', `"${instanceId}" has no backup "${backupId}".`);
      return toEntry(row);
    },
    add: ({ pinned, ...entry }) =>
      void insert.run(entry.instanceId, entry.backupId, pinned ? 1 : 0, JSON.stringify(entry)),
    publish: ({ instanceId, backupId }) => void setState.run('ready', instanceId, backupId),
    setPinned: ({ instanceId, backupId }, pinned) => void pin.run(pinned ? 1 : 0, instanceId, backupId),
    retract: ({ instanceId, backupId }) => void setState.run('deleting', instanceId, backupId),
    remove: ({ instanceId, backupId }) => void remove.run(instanceId, backupId),
    unfinished: () =>
      unfinished.all().map((row) => ({ ...toEntry(row), state: row.state as UnfinishedEntry['state'] })),
  };
}

/** The public form. Stores for copies do not exist yet, so a backup that should have some has nowhere to put them. */
export function toBackup({ file: _, cloudReplicate, ...backup }: CatalogueEntry): Backup {
  return { ...backup, cloudStatus: cloudReplicate ? 'not_configured' : 'disabled' };
}

function toEntry(row: Record<string, unknown>): CatalogueEntry {
  return { ...(JSON.parse(String(row.entry)) as Omit<CatalogueEntry, 'pinned'>), pinned: row.pinned === 1 };
}
