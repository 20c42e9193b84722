import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StartupError } from '../startup/startup-error.ts';
import { type AuditTable, auditTable } from './audit.ts';
import { type InstanceTable, instanceTable } from './instances.ts';
import { type MetaTable, metaTable } from './meta.ts';
import { migrate } from './migrations.ts';
import { type PairingTable, pairingTable } from './pairing.ts';
import { type SecondFactorTable, secondFactorTable } from './second-factors.ts';
import { type SessionTable, sessionTable } from './sessions.ts';
import { type TokenTable, tokenTable } from './tokens.ts';
import { type UsageTable, usageTable } from './usage.ts';
import { type UserTable, userTable } from './users.ts';

/** How long to wait for a transaction of the jobs process, which has tables in the same file. Milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

/** Everything that the daemon stores. A change is on disk when its method returns. */
export interface Store extends Disposable {
  meta: MetaTable;
  instances: InstanceTable;
  users: UserTable;
  secondFactors: SecondFactorTable;
  sessions: SessionTable;
  tokens: TokenTable;
  audit: AuditTable;
  usage: UsageTable;
  pairing: PairingTable;
}

/** Opens the database, creates it with mode 0600 if necessary, and migrates it. Throws StartupError if it cannot be used. */
export function openStore(file: string): Store {
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    return storeIn(database);
  } catch (cause) {
    database.close();
    throw new StartupError(
      `The database ${file} cannot be used: ${(cause as Error).message}.\n` +
        'Check it with: npx gamekeeper doctor. If it is damaged, set it aside and put a copy in its place, such as gamekeeper.db.before-upgrade.',
      { cause },
    );
  }
}

/** Migrates an open database and returns its tables. */
export function storeIn(database: DatabaseSync): Store {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  migrate(database);
  return {
    meta: metaTable(database),
    instances: instanceTable(database),
    users: userTable(database),
    secondFactors: secondFactorTable(database),
    sessions: sessionTable(database),
    tokens: tokenTable(database),
    audit: auditTable(database),
    usage: usageTable(database),
    pairing: pairingTable(database),
    [Symbol.dispose]: () => database.close(),
  };
}
