import type { DatabaseSync } from 'node:sqlite';
import { removeTree } from '../../../shared/node/files/remove-tree.ts';
import type { Logger } from '../../../shared/node/logger.ts';

/** Temporary folders of jobs, which are removed even if this process is killed. */
export interface Scratch {
  /** Runs `work`, which may create this folder, and removes the folder afterwards in any case. */
  use<T>(folder: string, work: () => Promise<T>): Promise<T>;
  /** Removes the folders that a crash has left. Must run before any job. What fails is logged and tried again at the next start. */
  removeLeftovers(log: Logger): Promise<void>;
}

export function createScratch(database: DatabaseSync): Scratch {
  const insert = database.prepare('INSERT INTO backup_scratch (path) VALUES (?)');
  const select = database.prepare('SELECT path FROM backup_scratch');
  const forget = database.prepare('DELETE FROM backup_scratch WHERE path = ?');

  async function remove(folder: string): Promise<void> {
    await removeTree(folder);
    forget.run(folder);
  }

  return {
    async use(folder, work) {
      insert.run(folder);
      try {
        return await work();
      } finally {
        await remove(folder);
      }
    },
    async removeLeftovers(log) {
      for (const { path } of select.all())
        await remove(String(path)).catch((error: unknown) =>
          log.error({ err: error, path }, 'could not remove a temporary folder'),
        );
    },
  };
}
