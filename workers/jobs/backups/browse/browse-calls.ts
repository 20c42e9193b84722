import type { JobsService } from '../../../../shared/contract/jobs.ts';
import type { Peers } from '../../resources/peers.ts';
import type { BackupStorage } from '../backup-storage.ts';
import { requirePath } from './backup-path.ts';
import type { BackupReader } from './backup-reader.ts';

export interface BrowseCallsOptions {
  reader: BackupReader;
  peers: Peers;
  storage: BackupStorage;
}

export type BrowseCalls = Pick<JobsService, 'backupFiles' | 'compareBackup' | 'backupFile' | 'sendBackupFile'>;

/** Reads files out of backups. */
export function createBrowseCalls({ reader, peers, storage }: BrowseCallsOptions): BrowseCalls {
  return {
    async backupFiles({ path, skip, limit, ...key }, signal) {
      requirePath(path);
      return reader.ask('listEntries', { key, task: { path, skip, limit } }, signal);
    },
    async compareBackup({ path, after, limit, ...key }, signal) {
      requirePath(path);
      const { config } = await peers.daemon.instance(key.instanceId);
      const { exclude } = await storage.settings();
      const task = { path, folder: config.directory, exclude, limit, ...(after !== undefined && { after }) };
      return reader.ask('compareToday', { key, task }, signal);
    },
    async backupFile({ path, ...key }, signal) {
      requirePath(path);
      return reader.ask('findEntry', { key, task: { path } }, signal);
    },
    async sendBackupFile({ path, socket, ...key }, signal) {
      requirePath(path);
      await reader.ask('sendEntry', { key, task: { path, socket } }, signal);
    },
  };
}
