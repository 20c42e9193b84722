import type { DatabaseSync } from 'node:sqlite';
import type { Home } from '../../../shared/node/files/home.ts';
import type { StoreSettings } from '../../../shared/schema/backup-settings.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import type { Pool } from '../resources/pool.ts';
import { type ArchiveFiles, createArchiveFiles } from './catalogue/archive-files.ts';
import { type Catalogue, createCatalogue } from './catalogue/catalogue.ts';
import { createEncryptedCopies, type EncryptedCopies } from './replication/encrypted-copies.ts';
import { createReplicas, type Replicas } from './replication/replicas.ts';
import { createStore } from './stores/create-store.ts';
import type { Store } from './stores/store.ts';

export type BackupSettings = Settings['backups'];

/** Where backups are kept: the catalogue in the database, the archives on this machine, the copies in stores. */
export interface BackupStorage {
  /** The section `backups` of the settings, as it is now. */
  settings(): Promise<BackupSettings>;
  readonly catalogue: Catalogue;
  readonly files: ArchiveFiles;
  readonly replicas: Replicas;
  readonly encrypted: EncryptedCopies;
  createStore(settings: StoreSettings): Promise<Store>;
}

export interface BackupStorageOptions {
  home: Home;
  database: DatabaseSync;
  pool: Pool;
  settings(): Promise<BackupSettings>;
}

export function createBackupStorage({ home, database, pool, settings }: BackupStorageOptions): BackupStorage {
  const replicas = createReplicas(database);
  const files = createArchiveFiles(home);
  return {
    settings,
    catalogue: createCatalogue(database, replicas),
    files,
    replicas,
    encrypted: createEncryptedCopies(pool),
    async createStore(store) {
      const backups = files.rootOf((await settings()).directory);
      return createStore(store, { backups, instances: home.instances });
    },
  };
}

export async function withStore<T>(
  { createStore: open }: Pick<BackupStorage, 'createStore'>,
  settings: StoreSettings,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await open(settings);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
