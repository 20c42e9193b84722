import { access, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory, writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { withStorageError } from '../../../shared/node/files/disk-space.ts';

/** The durable note "this world may be locked", so that `save-on` is sent after any crash of ours. */
export interface WorldLockMark {
  isSet(): Promise<boolean>;
  /** On disk when it resolves. Throws `insufficient_storage` where there is no room for it. */
  set(): Promise<void>;
  clear(): Promise<void>;
}

export function worldLockMark(file: string): WorldLockMark {
  return {
    isSet: () =>
      access(file).then(
        () => true,
        () => false, // not there, or not ours to see: either way nothing that we could undo
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
