import { access, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory, writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { withStorageError } from '../../../shared/node/files/disk-space.ts';

/** A file that says "this world may be locked", so that `save-on` is sent even after a crash of this supervisor. */
export interface WorldLockMark {
  isSet(): Promise<boolean>;
  /** Resolves when the mark is on disk. Throws `insufficient_storage` if the disk is full. */
  set(): Promise<void>;
  clear(): Promise<void>;
}

export function createWorldLockMark(file: string): WorldLockMark {
  return {
    isSet: () =>
      access(file).then(
        () => true,
        () => false, // missing or not readable: nothing that we could undo
      ),
    async set() {
      try {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFileAtomically(file, '');
      } catch (error) {
        throw withStorageError(error, 'the note that the world is locked');
      }
    },
    async clear() {
      await rm(file, { force: true });
      await syncDirectory(path.dirname(file));
    },
  };
}
