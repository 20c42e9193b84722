import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '../../shared/errors/error-code.ts';
import { syncDirectory } from '../../shared/node/files/atomic-file.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { removeTree } from '../../shared/node/files/remove-tree.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { createMutex } from '../../shared/node/primitives/mutex.ts';
import type { Registry } from './registry.ts';

/** These folders lie among the instances' folders. Instance ids never begin with a dot. */
const NAME = /^\.gamekeeper-deleted-[0-9a-f]{12}-(?<id>[a-z0-9-]+)$/;

/** Deletes server folders in the background: a world of a million files takes minutes. */
export interface DeletedFolders {
  /** Moves an instance's folder aside and deletes it in the background. Resolves when it is moved. */
  take(id: string): Promise<void>;
  /** Finishes deletions that an earlier daemon began, including their instances. Call it at startup. */
  resume(registry: Pick<Registry, 'has' | 'remove'>): Promise<void>;
}

export function createDeletedFolders({ home, log }: { home: Home; log: Logger }): DeletedFolders {
  const mutex = createMutex();

  function empty(folder: string): void {
    void mutex
      .run(() => removeTree(folder))
      .catch((error: unknown) =>
        log.error(
          { err: error, folder },
          'a deleted folder could not be removed; the next start of Gamekeeper tries again',
        ),
      );
  }

  return {
    async take(id) {
      const folder = home.instanceDirectory(id);
      const aside = path.join(home.instances, `.gamekeeper-deleted-${randomBytes(6).toString('hex')}-${id}`);
      try {
        await rename(folder, aside);
      } catch (error) {
        if (hasErrorCode(error, 'ENOENT')) return;
        // It cannot be renamed, for example because it is a mount point. Then the caller has to wait.
        return await removeTree(folder);
      }
      await syncDirectory(home.instances);
      empty(aside);
    },
    async resume(registry) {
      for (const name of await readdir(home.instances)) {
        const id = NAME.exec(name)?.groups?.id;
        if (id === undefined) continue;
        // Interrupted before its instance was removed. A new instance with this id would have a folder.
        if (registry.has(id) && !existsSync(home.instanceDirectory(id))) registry.remove(id);
        empty(path.join(home.instances, name));
      }
    },
  };
}
