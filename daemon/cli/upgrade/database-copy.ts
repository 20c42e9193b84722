import { open, rename, rm, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import type { Home } from '../../../shared/node/files/home.ts';
import { type Schema, schemaIn } from '../../store/schema.ts';

/** Returns the migration steps of a database. */
export function schemaOf(file: string): Schema {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return schemaIn(database);
  } finally {
    database.close();
  }
}

/** Copies the database, replacing an earlier copy. Nothing may write to it meanwhile. Resolves to the path of the copy. */
export async function copyDatabase(home: Home): Promise<string> {
  const copy = `${home.database}.before-upgrade`;
  const unfinished = `${copy}.new`;
  await rm(unfinished, { force: true });
  // SQLite keeps the mode and owner of an empty file. The owner may be another user: root upgrades a system service.
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

/** Replaces the database by the copy. No daemon may run. */
export async function restoreDatabase(home: Home, copy: string): Promise<void> {
  // They belong to the file that is replaced and would corrupt the other one.
  for (const suffix of ['-wal', '-shm']) await rm(home.database + suffix, { force: true });
  await rename(copy, home.database);
}
