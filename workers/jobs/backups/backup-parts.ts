import type { Logger } from '../../../shared/node/logger.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import type { Peers } from '../peers.ts';
import type { Pool } from '../pool.ts';
import type { ArchiveFiles } from './archive-files.ts';
import type { Catalogue } from './catalogue.ts';

/** What the work on backups needs around it. */
export interface BackupParts {
  catalogue: Catalogue;
  files: ArchiveFiles;
  pool: Pool;
  peers: Peers;
  log: Logger;
  /** As they are now. */
  settings(): Promise<Settings>;
  now(): Date;
  /** So many random hex digits. */
  randomHex(digits: number): string;
}
