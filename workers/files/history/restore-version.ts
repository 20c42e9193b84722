import { RESERVED_BYTES, requireSpace } from '../../../shared/node/files/disk-space.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { copyFile } from '../folder/copy-file.ts';
import { explained } from '../folder/file-error.ts';
import { type Committed, commitStaged, discardStaged } from '../staging/staged-files.ts';
import { newStagedPath } from '../staging/under-construction.ts';
import { openVersion, ownPathOf } from './versions.ts';

/** Puts a copy of an earlier version in place of a file, whose present content becomes an earlier version, too. Throws `file_not_found`. */
export async function restoreVersion(root: string, path: string, version: string): Promise<Committed> {
  openVersion(root, path, version)[Symbol.dispose](); // it is there, and a file
  await requireSpace(root, RESERVED_BYTES, 'The game');
  const own = newStagedPath();
  return await explained(path, async () => {
    using source = new TreeCursor(root);
    using target = new TreeCursor(root);
    try {
      const places = { from: source.placeOf(ownPathOf(path, version)), to: target.placeOf(own, () => undefined) };
      await copyFile({ ...places, shown: path }, new AbortController().signal);
      return await commitStaged({ root, own }, { path });
    } finally {
      await discardStaged({ root, own });
    }
  });
}
