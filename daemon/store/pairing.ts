import { generateKeyPairSync } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Pairing } from '../../shared/schema/pairing.ts';

/** The hosted proxy that this daemon is paired with, if any. */
export interface PairingTable {
  get(): Pairing | null;
  set(pairing: Pairing): void;
  /** Forgets the private key as well. Returns false if there was no pairing. */
  remove(): boolean;
  /** Returns the Ed25519 key that this daemon proves itself with (PKCS #8, PEM). The first call creates it. */
  privateKey(): string;
}

export function createPairingTable(database: DatabaseSync): PairingTable {
  const get = database.prepare("SELECT value FROM meta WHERE key = 'pairing'");
  const set = database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('pairing', ?)");
  const remove = database.prepare("DELETE FROM meta WHERE key = 'pairing'");
  const getKey = database.prepare("SELECT value FROM meta WHERE key = 'linkKey'");
  const addKey = database.prepare("INSERT INTO meta (key, value) VALUES ('linkKey', ?)");
  const removeKey = database.prepare("DELETE FROM meta WHERE key = 'linkKey'");
  return {
    get() {
      const row = get.get();
      return row ? (JSON.parse(String(row.value)) as Pairing) : null;
    },
    set: (pairing) => void set.run(JSON.stringify(pairing)),
    remove() {
      const existed = remove.run().changes === 1;
      removeKey.run();
      return existed;
    },
    privateKey() {
      const stored = getKey.get();
      if (stored) return String(stored.value);
      const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      addKey.run(key);
      return key;
    },
  };
}
