import { readdir } from 'node:fs/promises';
import type { FileAttributes } from '../../../shared/contract/file-handles.ts';
import { isOwnName } from '../../../shared/domain/files/file-path.ts';
import { nameOf } from '../../../shared/node/files/file-name.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { statAt } from '../folder/entry.ts';
import { explained, requirePath } from '../folder/file-error.ts';
import { attributesOf } from './attributes.ts';

/** A folder that is listed in pieces. Its names are read once; what they name is looked at when it is asked for. */
export interface FolderHandle {
  next(limit: number): { name: string; attributes: FileAttributes }[];
  close(): void;
}

export async function openFolderHandle(root: string, path: string): Promise<FolderHandle> {
  requirePath(path);
  return explained(path, async () => {
    const cursor = new TreeCursor(root);
    try {
      const place = cursor.enter(path);
      const names = (await readdir(place, { encoding: 'buffer' })).map(nameOf);
      return listOf(cursor, { place, names: path === '' ? names.filter((name) => !isOwnName(name)) : names });
    } catch (error) {
      cursor[Symbol.dispose]();
      throw error;
    }
  });
}

function listOf(cursor: TreeCursor, { place, names }: { place: string; names: string[] }): FolderHandle {
  let position = 0;
  return {
    next(limit) {
      const found: { name: string; attributes: FileAttributes }[] = [];
      while (found.length < limit && position < names.length) {
        const name = names[position++]!;
        const stats = statAt(`${place}/${name}`);
        if (stats) found.push({ name, attributes: attributesOf(stats) }); // else it has vanished
      }
      return found;
    },
    close: () => cursor[Symbol.dispose](),
  };
}
