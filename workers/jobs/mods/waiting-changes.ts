import type { DatabaseSync } from 'node:sqlite';
import { nameKey } from './folder/jar-name.ts';
import type { Jar } from './folder/jar-scanner.ts';
import type { KnownMod } from './known-mods.ts';

/** A file to add. Its address is kept too, since the cache may be emptied. */
export interface Put {
  file: string;
  sha512: string;
  url: string;
  bytes: number;
  known: KnownMod;
}

/** A file to remove, if it is still the one that was meant. */
export interface Gone {
  file: string;
  /** Absent if the file could not be read. */
  sha512?: string | undefined;
}

/** A change of a folder, made completely or not at all. */
export interface WaitingChange {
  /** The software that they were chosen for. Absent in records of earlier versions. */
  software?: string;
  puts: Put[];
  removes: Gone[];
}

/** The change that each instance is making, or makes at its next start. Stored before any file is touched. */
export interface WaitingChanges {
  of(instanceId: string): WaitingChange | undefined;
  set(instanceId: string, change: WaitingChange | undefined): void;
}

export function createWaitingChanges(database: DatabaseSync): WaitingChanges {
  const select = database.prepare('SELECT change FROM waiting_mods WHERE instance_id = ?');
  const insert = database.prepare(
    'INSERT INTO waiting_mods (instance_id, change) VALUES (?, ?) ON CONFLICT (instance_id) DO UPDATE SET change = excluded.change',
  );
  const remove = database.prepare('DELETE FROM waiting_mods WHERE instance_id = ?');
  return {
    of(instanceId) {
      const row = select.get(instanceId);
      return row ? (JSON.parse(String(row.change)) as WaitingChange) : undefined;
    },
    set(instanceId, change) {
      if (change && change.puts.length + change.removes.length > 0) insert.run(instanceId, JSON.stringify(change));
      else remove.run(instanceId);
    },
  };
}

/** Returns true if a change was chosen for software that the server no longer has. */
export function isForOther(change: WaitingChange | undefined, { software }: { software: string }): boolean {
  return change?.software !== undefined && change.software !== software;
}

/** Returns true if a change no longer applies: a file to remove is gone, or the name of a file to add is taken. */
export function isOutdated(change: WaitingChange | undefined, jars: readonly Jar[]): boolean {
  if (!change) return false;
  const { puts, removes } = change;
  const isMeant = (jar: Jar, { file, sha512 }: Gone) => jar.file === file && jar.sha512 === sha512;
  const stay = jars.filter((jar) => !removes.some((gone) => isMeant(jar, gone)));
  const isTaken = ({ file }: Put) => stay.some((jar) => nameKey(jar.file) === nameKey(file));
  return !removes.every((gone) => jars.some((jar) => isMeant(jar, gone))) || puts.some(isTaken);
}
