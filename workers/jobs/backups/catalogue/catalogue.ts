import type { DatabaseSync } from 'node:sqlite';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Backup } from '../../../../shared/schema/backup.ts';
import { inTransaction } from '../../resources/database.ts';
import type { BackupKey } from '../backup-key.ts';
import type { Replicas } from '../replication/replicas.ts';

/** What was found out about a backup after it was made. */
export interface Findings extends Pick<Backup, 'lastVerified' | 'lastDrill'> {
  /** The archive on this machine is not what was written. */
  localDamage?: boolean;
}

/** A backup with what only this process needs to know. */
export interface CatalogueEntry extends Omit<Backup, 'cloudStatus' | 'local' | 'replicas' | keyof Findings> {
  /** The archive: relative to the data directory where it is in there, so that this one can be moved; else absolute. */
  file: string;
  /** Whether copies in stores were asked for. */
  cloudReplicate: boolean;
  findings: Findings;
}

/** A backup that is new to the catalogue. */
export type NewEntry = Omit<CatalogueEntry, 'findings'>;

/** A row whose archive may be there or not, after a crash. */
export type UnfinishedEntry = CatalogueEntry & { state: 'writing' | 'deleting' };

/**
 * What backups there are. A row is `writing` from before its archive gets its final name until after that, and `deleting` likewise, so
 * that after any crash row and file can be made to agree (sweep.ts). Only what is `ready` exists for others.
 */
export interface Catalogue {
  /** Newest first. */
  list(instanceId: string): CatalogueEntry[];
  /** Every backup of every instance. */
  all(): CatalogueEntry[];
  /** Throws `backup_not_found`. */
  get(key: BackupKey): CatalogueEntry;
  /** True for unfinished ones, too. */
  has(key: BackupKey): boolean;
  /** Records a backup whose archive is about to get its name, and the stores that shall get a copy of it. */
  add(entry: NewEntry, stores: readonly string[]): void;
  publish(key: BackupKey): void;
  setPinned(key: BackupKey, pinned: boolean): void;
  /** Copies are asked for after all. */
  setReplicated(key: BackupKey): void;
  /** The archive is somewhere else now. */
  setFile(key: BackupKey, file: string): void;
  /** Adds to what is known about a backup. Nothing happens if the backup is gone. */
  note(key: BackupKey, change: Findings): void;
  /** The archive and its copies are about to be deleted. */
  retract(key: BackupKey): void;
  remove(key: BackupKey): void;
  unfinished(): UnfinishedEntry[];
}

export function openCatalogue(database: DatabaseSync, replicas: Replicas): Catalogue {
  const select = 'SELECT state, pinned, entry, findings FROM backup';
  const ofBackup = 'WHERE instance_id = ? AND backup_id = ?';
  const list = database.prepare(`${select} WHERE instance_id = ? AND state = 'ready' ORDER BY backup_id DESC`);
  const all = database.prepare(`${select} WHERE state = 'ready' ORDER BY instance_id, backup_id DESC`);
  const find = database.prepare(`${select} ${ofBackup} AND state = 'ready'`);
  const any = database.prepare(`SELECT 1 FROM backup ${ofBackup}`);
  const insert = database.prepare(
    "INSERT INTO backup (instance_id, backup_id, state, pinned, entry) VALUES (?, ?, 'writing', ?, ?)",
  );
  const setState = database.prepare(`UPDATE backup SET state = ? ${ofBackup}`);
  const pin = database.prepare(`UPDATE backup SET pinned = ? ${ofBackup}`);
  const setReplicated = database.prepare(
    `UPDATE backup SET entry = json_set(entry, '$.cloudReplicate', json('true')) ${ofBackup}`,
  );
  const setFile = database.prepare(`UPDATE backup SET entry = json_set(entry, '$.file', ?) ${ofBackup}`);
  const findings = database.prepare(`SELECT findings FROM backup ${ofBackup}`);
  const setFindings = database.prepare(`UPDATE backup SET findings = ? ${ofBackup}`);
  const remove = database.prepare(`DELETE FROM backup ${ofBackup}`);
  const unfinished = database.prepare(`${select} WHERE state <> 'ready'`);
  return {
    list: (instanceId) => list.all(instanceId).map(toEntry),
    all: () => all.all().map(toEntry),
    get({ instanceId, backupId }) {
      const row = find.get(instanceId, backupId);
      if (!row) throw new GamekeeperError('backup_not_found', `"${instanceId}" has no backup "${backupId}".`);
      return toEntry(row);
    },
    has: ({ instanceId, backupId }) => any.get(instanceId, backupId) !== undefined,
    add: ({ pinned, ...entry }, stores) =>
      inTransaction(database, () => {
        insert.run(entry.instanceId, entry.backupId, pinned ? 1 : 0, JSON.stringify(entry));
        for (const store of stores) replicas.request(entry, store);
      }),
    publish: ({ instanceId, backupId }) => void setState.run('ready', instanceId, backupId),
    setPinned: ({ instanceId, backupId }, pinned) => void pin.run(pinned ? 1 : 0, instanceId, backupId),
    setReplicated: ({ instanceId, backupId }) => void setReplicated.run(instanceId, backupId),
    setFile: ({ instanceId, backupId }, file) => void setFile.run(file, instanceId, backupId),
    note({ instanceId, backupId }, change) {
      const row = findings.get(instanceId, backupId);
      if (row) setFindings.run(JSON.stringify({ ...findingsOf(row), ...change }), instanceId, backupId);
    },
    retract: (key) =>
      inTransaction(database, () => {
        setState.run('deleting', key.instanceId, key.backupId);
        replicas.retract(key);
      }),
    remove: (key) =>
      inTransaction(database, () => {
        remove.run(key.instanceId, key.backupId);
        replicas.retract(key);
      }),
    unfinished: () =>
      unfinished.all().map((row) => ({ ...toEntry(row), state: row.state as UnfinishedEntry['state'] })),
  };
}

function toEntry(row: Record<string, unknown>): CatalogueEntry {
  return {
    // Rows of earlier versions do not say it.
    skippedCount: 0,
    ...(JSON.parse(String(row.entry)) as Omit<CatalogueEntry, 'pinned' | 'findings' | 'skippedCount'>),
    pinned: row.pinned === 1,
    findings: findingsOf(row),
  };
}

function findingsOf(row: Record<string, unknown>): Findings {
  return JSON.parse(String(row.findings)) as Findings;
}
