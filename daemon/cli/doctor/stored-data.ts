import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { type Schema, schemaIn } from '../../store/schema.ts';

export interface StoredData {
  schema: Schema;
  instances: InstanceConfig[];
  /** What SQLite finds wrong with the file, at most a few; empty: nothing. */
  faults: string[];
}

/** Enough to see what kind of damage it is. */
const MOST_FAULTS = 5;

/** Reads the database, and leaves nothing behind beside it. Throws where it cannot be read at all. */
export function readStoredData(file: string): StoredData | undefined {
  if (!existsSync(file)) return undefined;
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  const address = pathToFileURL(file);
  // Nobody has it open, since a log would be there: then it need not be locked, which would make such files.
  if (!log) address.searchParams.set('immutable', '1');
  const database = new DatabaseSync(address, { readOnly: true });
  try {
    const faults = database
      .prepare(`PRAGMA quick_check(${MOST_FAULTS})`)
      .all()
      .map(({ quick_check: said }) => String(said))
      .filter((fault) => fault !== 'ok');
    // A daemon that was killed in its first moments leaves an empty file, in which the next one goes on.
    const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() ?? {};
    if (tables === 0 && faults.length === 0) return undefined;
    const instances = database.prepare('SELECT config FROM instances').all();
    return {
      schema: schemaIn(database),
      instances: instances.map(({ config }) => JSON.parse(String(config)) as InstanceConfig),
      faults,
    };
  } finally {
    database.close();
  }
}
