import type { DatabaseSync } from 'node:sqlite';
import type { Pairing } from '../../shared/schema/pairing.ts';

/** The hosted proxy that this daemon is paired with, if any. */
export interface PairingTable {
  get(): Pairing | null;
  set(pairing: Pairing): void;
  /** Returns false if there was none. */
  remove(): boolean;
}

export function createPairingTable(database: DatabaseSync): PairingTable {
  const get = database.prepare("SELECT value FROM meta WHERE key = 'pairing'");
  const set = database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('pairing', ?)");
  const remove = database.prepare("DELETE FROM meta WHERE key = 'pairing'");
  return {
    get() {
      const row = get.get();
      return row ? (JSON.parse(String(row.value)) as Pairing) : null;
    },
    set: (pairing) => void set.run(JSON.stringify(pairing)),
    remove: () => remove.run().changes === 1,
  };
}
