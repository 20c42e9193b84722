import type { DatabaseSync } from 'node:sqlite';
import type { BackupsRequest } from '../../../../shared/contract/jobs.ts';
import type { BackupTotals } from '../../../../shared/contract/stats.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Backup } from '../../../../shared/schema/backup.ts';
import { inTransaction } from '../../resources/database.ts';
import type { Replicas } from '../replication/replicas.ts';
import type { BackupKey } from './archive-files.ts';

/** Results of verifications, drills and copies. */
export interface Findings extends Pick<Backup, 'lastVerified' | 'lastDrill'> {
  /** The archive on this machine differs from what was written. */
  localDamage?: boolean;
}

/** A backup, with the fields that only this process needs. */
export interface CatalogueEntry extends Omit<Backup, 'cloudStatus' | 'local' | 'replicas' | keyof Findings> {
  /** Path of the archive, relative if it is inside the data directory (which can then be moved), else absolute. */
  file: string;
  /** True if copies in stores were asked for. */
  cloudReplicate: boolean;
  findings: Findings;
}

export type NewEntry = Omit<CatalogueEntry, 'findings'>;

/** A row whose archive may or may not exist after a crash. */
export type UnfinishedEntry = CatalogueEntry & { state: 'writing' | 'deleting' };

/**
 * The list of backups. A row is `writing` while its archive gets its final name and `deleting` while the archive is removed, so that rows
 * and files can be made to agree after a crash (clean-up-after-crash.ts). Other code only sees rows that are `ready`.
 */
export interface Catalogue {
  /** Newest first. */
  list(instanceId: string): CatalogueEntry[];
  /** Newest first: at most `limit` of those older than `before`. */
  page(request: BackupsRequest): CatalogueEntry[];
  all(): CatalogueEntry[];
  /** Throws `backup_not_found`. */
  get(key: BackupKey): CatalogueEntry;
  /** Also true for unfinished backups. */
  has(key: BackupKey): boolean;
  /** Adds a backup as `writing`, and requests a copy of it in each of these stores. */
  add(entry: NewEntry, stores: readonly string[]): void;
  /** Makes a `writing` backup visible. */
  publish(key: BackupKey): void;
  setPinned(key: BackupKey, pinned: boolean): void;
  setReplicated(key: BackupKey): void;
  setFile(key: BackupKey, file: string): void;
  /** Adds findings. Does nothing if the backup is gone. */
  note(key: BackupKey, change: Findings): void;
  /** Marks a backup as `deleting`, and its copies as to be removed. */
  retract(key: BackupKey): void;
  remove(key: BackupKey): void;
  unfinished(): UnfinishedEntry[];
  totals(): BackupTotals[];
}

export function createCatalogue(database: DatabaseSync, replicas: Replicas): Catalogue {
  const select = 'SELECT state, pinned, entry, findings FROM backup';
  const ofBackup = 'WHERE instance_id = ? AND backup_id = ?';
  const list = database.prepare(`${select} WHERE instance_id = ? AND state = 'ready' ORDER BY backup_id DESC`);
  const page = database.prepare(
    `${select} WHERE instance_id = ? AND state = 'ready' AND backup_id < ? ORDER BY backup_id DESC LIMIT ?`,
  );
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
  const totals = database.prepare(TOTALS);
  return {
    list: (instanceId) => list.all(instanceId).map(toEntry),
    page: ({ instanceId, before = AFTER_EVERY_ID, limit = NO_LIMIT }) =>
      page.all(instanceId, before, limit).map(toEntry),
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
    totals: () => totals.all().map(toTotals),
  };
}

/** Ids begin with a digit. */
const AFTER_EVERY_ID = 'a';
/** SQLite, "The LIMIT clause": negative. */
const NO_LIMIT = -1;

/** A column beside max() comes from the row with the maximum (SQLite, "Bare columns in an aggregate query"), and ids sort by time. */
const TOTALS = `
  SELECT instance_id, count(*) AS count, sum(entry ->> 'sizeBytes') AS bytes, max(backup_id),
    entry ->> 'createdAt' AS at, entry ->> 'durationMs' AS duration, entry ->> 'sizeBytes' AS size,
    coalesce(entry ->> 'omittedCount', 0) AS omitted
  FROM backup WHERE state = 'ready' GROUP BY instance_id`;

function toTotals(row: Record<string, unknown>): BackupTotals {
  return {
    instanceId: String(row.instance_id),
    count: Number(row.count),
    bytes: Number(row.bytes),
    newest: {
      at: Date.parse(String(row.at)),
      durationMs: Number(row.duration),
      bytes: Number(row.size),
      omitted: Number(row.omitted),
    },
  };
}

function toEntry(row: Record<string, unknown>): CatalogueEntry {
  return {
    // Rows of earlier versions lack these.
    ...{ skippedCount: 0, omitted: [], omittedCount: 0 },
    ...(JSON.parse(String(row.entry)) as Omit<
      CatalogueEntry,
      'pinned' | 'findings' | 'skippedCount' | 'omitted' | 'omittedCount'
    >),
    pinned: row.pinned === 1,
    findings: findingsOf(row),
  };
}

function findingsOf(row: Record<string, unknown>): Findings {
  return JSON.parse(String(row.findings)) as Findings;
}
