import type { Logger } from '../../../shared/node/logger.ts';
import type { StoreSettings } from '../../../shared/schema/backup-settings.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import type { Peers } from '../resources/peers.ts';
import type { Pool } from '../resources/pool.ts';
import type { Scratch } from '../resources/scratch.ts';
import type { ArchiveFiles } from './catalogue/archive-files.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { EncryptedCopies } from './replication/encrypted-copies.ts';
import type { Replicas } from './replication/replicas.ts';
import type { Store } from './stores/store.ts';

/** What the work on backups needs around it. */
export interface BackupParts {
  catalogue: Catalogue;
  replicas: Replicas;
  files: ArchiveFiles;
  scratch: Scratch;
  encrypted: EncryptedCopies;
  pool: Pool;
  peers: Peers;
  log: Logger;
  openStore(settings: StoreSettings): Promise<Store>;
  /** As they are now. */
  settings(): Promise<Settings>;
  now(): Date;
  /** So many random hex digits. */
  randomHex(digits: number): string;
}
