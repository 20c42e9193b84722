import { closeSync, openSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import type { Home } from '../../../shared/node/home.ts';

/** How many of the daemon's steps the database has; 0 for one that no daemon has opened. */
export function schemaOf(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(database.prepare('SELECT steps FROM daemon_schema').get()?.steps ?? 0);
  } finally {
    database.close();
  }
}

/** Copies the whole database, while nobody writes to it. The copy before it is replaced. Resolves to the copy's path. */
export async function copyDatabase(home: Home): Promise<string> {
  const copy = `${home.database}.before-upgrade`;
  const unfinished = `${copy}.new`;
  await rm(unfinished, { force: true });
  // SQLite takes over an empty file with its mode.
  closeSync(openSync(unfinished, 'wx', 0o600));
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
