import { access, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory, writeFileAtomically } from '../../shared/node/atomic-file.ts';

/** The durable note "this world may be locked", so that `save-on` is sent after any crash of ours. */
export interface WorldLockMark {
  isSet(): Promise<boolean>;
  /** On disk when it resolves. */
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
      await mkdir(path.dirname(file), { recursive: true });
      await writeFileAtomically(file, '');
    },
    async clear() {
      await rm(file, { force: true });
      await syncDirectory(path.dirname(file));
    },
  };
}
