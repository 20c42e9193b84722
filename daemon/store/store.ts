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

/** How long to wait for the jobs process, which has tables in the same file, to end its transaction. */
const BUSY_TIMEOUT_MS = 5_000;

/** Everything that the daemon keeps. What a method has returned from is on disk. */
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

/** Opens the database (made if there is none, mode 0600) and brings its tables up to date. Throws StartupError where it cannot be used. */
export function openStore(file: string): Store {
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    return storeIn(database);
  } catch (cause) {
    database.close();
    throw new StartupError(
      `The database ${file} cannot be used: ${(cause as Error).message}.\n` +
        'See what is wrong: npx gamekeeper doctor. If it is damaged, keep it for later and put a copy in its place, such as gamekeeper.db.before-upgrade.',
      { cause },
    );
  }
}

/** The same in a database that is open. */
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
