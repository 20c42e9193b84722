import type { PoolTaskName, PoolTasks } from '../../../pool/task-types.ts';
import type { Pool } from '../../resources/pool.ts';
import { isDamage } from '../archive-damage.ts';
import type { BackupKey } from '../catalogue/archive-files.ts';
import { type Access, type AccessOptions, withArchive } from './archive-access.ts';

export interface BackupReaderOptions extends AccessOptions {
  readers: Pool;
  /** Ends all reading. */
  ending: AbortSignal;
}

export type BrowseTaskName = Extract<
  PoolTaskName,
  'listEntries' | 'compareToday' | 'findPaths' | 'findEntry' | 'sendEntry'
>;
type TaskOf<Name extends BrowseTaskName> = Omit<PoolTasks[Name]['task'], 'archive' | 'sourceBytes'>;

/** Reads parts of backups in threads, without unpacking or fetching the rest. */
export interface BackupReader {
  /** Runs a task on the archive of a backup, here or in a store. Throws `backup_not_found` and `backup_damaged`. */
  ask<Name extends BrowseTaskName>(
    name: Name,
    order: { key: BackupKey; task: TaskOf<Name> },
    signal: AbortSignal,
  ): Promise<PoolTasks[Name]['result']>;
}

export function createBackupReader({ readers, ending, ...options }: BackupReaderOptions): BackupReader {
  return {
    async ask(name, { key, task }, caller) {
      const entry = options.storage.catalogue.get(key);
      const { sourceBytes } = entry;
      const signal = AbortSignal.any([caller, ending]);
      const access = {
        signal,
        work: ({ archive, ports }: Access) =>
          readers.run(name, { ...task, archive, sourceBytes } as PoolTasks[typeof name]['task'], signal, ports),
      };
      return withArchive(entry, access, options).catch((error: unknown) => {
        // It may have been deleted meanwhile: then that is what to say.
        if (isDamage(error)) options.storage.catalogue.get(key);
        throw error;
      });
    },
  };
}
