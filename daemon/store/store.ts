import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StartupError } from '../../shared/node/processes/startup-error.ts';
import { type AuditTable, createAuditTable } from './audit.ts';
import { createInstanceTable, type InstanceTable } from './instances.ts';
import { createMetaTable, type MetaTable } from './meta.ts';
import { migrate } from './migrations.ts';
import { createPairingTable, type PairingTable } from './pairing.ts';
import { createSecondFactorTable, type SecondFactorTable } from './second-factors.ts';
import { createSessionTable, type SessionTable } from './sessions.ts';
import { createSshKeyTable, type SshKeyTable } from './ssh-keys.ts';
import { createTokenTable, type TokenTable } from './tokens.ts';
import { inTransaction } from './transaction.ts';
import { createUsageTable, type UsageTable } from './usage.ts';
import { createUsedGrantTable, type UsedGrantTable } from './used-grants.ts';
import { createUserTable, type UserTable } from './users.ts';

/** How long to wait for a transaction of the jobs process, which has tables in the same file. Milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

/** Everything that the daemon stores. A change is on disk when its method returns. */
export interface Store extends Disposable {
  meta: MetaTable;
  instances: InstanceTable;
  users: UserTable;
  secondFactors: SecondFactorTable;
  sessions: SessionTable;
  sshKeys: SshKeyTable;
  tokens: TokenTable;
  audit: AuditTable;
  usage: UsageTable;
  pairing: PairingTable;
  usedGrants: UsedGrantTable;
  /** Makes all changes of `work` or none. */
  transaction<T>(work: () => T): T;
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
    meta: createMetaTable(database),
    instances: createInstanceTable(database),
    users: createUserTable(database),
    secondFactors: createSecondFactorTable(database),
    sessions: createSessionTable(database),
    sshKeys: createSshKeyTable(database),
    tokens: createTokenTable(database),
    audit: createAuditTable(database),
    usage: createUsageTable(database),
    pairing: createPairingTable(database),
    usedGrants: createUsedGrantTable(database),
    transaction: (work) => inTransaction(database, work),
    [Symbol.dispose]: () => database.close(),
  };
}
