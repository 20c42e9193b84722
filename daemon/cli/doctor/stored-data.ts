import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { type Schema, schemaIn } from '../../store/schema.ts';

export interface StoredData {
  schema: Schema;
  instances: InstanceConfig[];
  /** Address of the hosted proxy that this daemon is linked to. */
  proxy?: string;
  /** The first problems that SQLite finds in the file. */
  faults: string[];
}

const MOST_FAULTS = 5;

/** Reads the database without creating files beside it. Throws if it cannot be read. */
export function readStoredData(file: string): StoredData | undefined {
  if (!existsSync(file)) return undefined;
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  const address = pathToFileURL(file);
  // Without a log, no process has it open. Then it is read without a lock, which would create such files.
  if (!log) address.searchParams.set('immutable', '1');
  const database = new DatabaseSync(address, { readOnly: true });
  try {
    const faults = database
      .prepare(`PRAGMA quick_check(${MOST_FAULTS})`)
      .all()
      .map(({ quick_check: said }) => String(said))
      .filter((fault) => fault !== 'ok');
    // A daemon that was killed right after its first start leaves an empty file. The next one continues with it.
    const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() ?? {};
    if (tables === 0 && faults.length === 0) return undefined;
    const instances = database.prepare('SELECT config FROM instances').all();
    const pairing = database.prepare("SELECT value FROM meta WHERE key = 'pairing'").get();
    return {
      schema: schemaIn(database),
      instances: instances.map(({ config }) => JSON.parse(String(config)) as InstanceConfig),
      ...(pairing && { proxy: String(JSON.parse(String(pairing.value)).issuer) }),
      faults,
    };
  } finally {
    database.close();
  }
}
