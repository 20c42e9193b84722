import type { DatabaseSync } from 'node:sqlite';
import { removeTree } from '../../../shared/node/files/remove-tree.ts';

/** Folders that work makes for itself and that must not outlive it, not even when this process is killed. */
export interface Scratch {
  /** Runs `work`, which may make this folder, and removes it afterwards, however the work ends. */
  use<T>(folder: string, work: () => Promise<T>): Promise<T>;
  /** Removes what a crash has left. For the start. */
  sweep(): Promise<void>;
}

export function openScratch(database: DatabaseSync): Scratch {
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
    async sweep() {
      for (const { path } of select.all()) await remove(String(path));
    },
  };
}
