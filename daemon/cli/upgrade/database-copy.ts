import { open, rename, rm, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import type { Home } from '../../../shared/node/files/home.ts';
import { type Schema, schemaIn } from '../../store/schema.ts';

/** Which steps the database of a data directory, or a copy of it, has. */
export function schemaOf(file: string): Schema {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return schemaIn(database);
  } finally {
    database.close();
  }
}

/** Copies the whole database, while nobody writes to it. The copy before it is replaced. Resolves to the copy's path. */
export async function copyDatabase(home: Home): Promise<string> {
  const copy = `${home.database}.before-upgrade`;
  const unfinished = `${copy}.new`;
  await rm(unfinished, { force: true });
  // SQLite takes over an empty file with its mode and owner, who may be another than us: root upgrades a service of the machine.
  const { uid, gid } = await stat(home.database);
  const file = await open(unfinished, 'wx', 0o600);
  if (process.getuid?.() === 0) await file.chown(uid, gid);
  await file.close();
  const database = new DatabaseSync(home.database, { readOnly: true });
  try {
    database.prepare('VACUUM INTO ?').run(unfinished);
  } finally {
    database.close();
  }
  await rename(unfinished, copy);
  return copy;
}

/** Puts the copy in the database's place. To be called while no daemon runs. */
export async function restoreDatabase(home: Home, copy: string): Promise<void> {
  // What belongs to the file that goes would spoil the one that comes.
  for (const suffix of ['-wal', '-shm']) await rm(home.database + suffix, { force: true });
  await rename(copy, home.database);
}
