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

/** Beside the folders of instances, whose ids never begin with a dot. The id stands at the end. */
const NAME = /^\.gamekeeper-deleted-[0-9a-f]{12}-(?<id>[a-z0-9-]+)$/;

/** Server folders on their way out: a world of a million files takes minutes to delete, and nobody should wait for it. */
export interface DeletedFolders {
  /** Takes an instance's folder out of the way. When this resolves it is gone from its place; its content goes in the background. */
  take(id: string): Promise<void>;
  /** Goes on with what a crash, or the end of the last daemon, has left, the deletion of its instance included. For the start. */
  resume(registry: Pick<Registry, 'has' | 'remove'>): Promise<void>;
}

export function deletedFolders({ home, log }: { home: Home; log: Logger }): DeletedFolders {
  const mutex = createMutex();

  function empty(folder: string): void {
    void mutex
      .run(() => removeTree(folder))
      .catch((error: unknown) =>
        log.error({ err: error, folder }, 'a deleted folder could not be removed; the next start tries again'),
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
        // A disk that is mounted there cannot be renamed, for one: then it takes the time that it takes.
        return await removeTree(folder);
      }
      await syncDirectory(home.instances);
      empty(aside);
    },
    async resume(registry) {
      for (const name of await readdir(home.instances)) {
        const id = NAME.exec(name)?.groups?.id;
        if (id === undefined) continue;
        // Cut off between the two steps. One that was made anew under this id has a folder.
        if (registry.has(id) && !existsSync(home.instanceDirectory(id))) registry.remove(id);
        empty(path.join(home.instances, name));
      }
    },
  };
}
