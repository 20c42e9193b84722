import type { DatabaseSync } from 'node:sqlite';
import type { LastCrash } from '../../shared/domain/instance/runtime.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';

export interface StoredInstance {
  config: InstanceConfig;
  lastCrash?: LastCrash;
  /** Whether it ran when it was last observed. */
  ran: boolean;
  /** Whether its last run ended in a crash. */
  crashed: boolean;
}

/** The configurations of instances, and the history of their runs. */
export interface InstanceTable {
  all(): StoredInstance[];
  has(id: string): boolean;
  /** Inserts or replaces the configuration. The last crash stays. */
  save(config: InstanceConfig): void;
  saveCrash(id: string, crash: LastCrash | undefined): void;
  saveRan(id: string, ran: boolean): void;
  saveCrashed(id: string, crashed: boolean): void;
  remove(id: string): void;
}

export function createInstanceTable(database: DatabaseSync): InstanceTable {
  const all = database.prepare('SELECT config, last_crash, ran, crashed FROM instances ORDER BY rowid');
  const has = database.prepare('SELECT 1 FROM instances WHERE id = ?');
  const save = database.prepare(
    'INSERT INTO instances (id, config) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET config = excluded.config',
  );
  const saveCrash = database.prepare('UPDATE instances SET last_crash = ? WHERE id = ?');
  const saveRan = database.prepare('UPDATE instances SET ran = ? WHERE id = ?');
  const saveCrashed = database.prepare('UPDATE instances SET crashed = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM instances WHERE id = ?');
  return {
    all: () =>
      all.all().map((row) => ({
        config: JSON.parse(String(row.config)) as InstanceConfig,
        ran: row.ran === 1,
        crashed: row.crashed === 1,
        ...(row.last_crash !== null && { lastCrash: JSON.parse(String(row.last_crash)) as LastCrash }),
      })),
    has: (id) => has.get(id) !== undefined,
    save: (config) => void save.run(config.id, JSON.stringify(config)),
    saveCrash: (id, crash) => void saveCrash.run(crash ? JSON.stringify(crash) : null, id),
    saveRan: (id, ran) => void saveRan.run(ran ? 1 : 0, id),
    saveCrashed: (id, crashed) => void saveCrashed.run(crashed ? 1 : 0, id),
    remove: (id) => void remove.run(id),
  };
}
