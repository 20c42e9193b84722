import type { Dir } from 'node:fs';
import { opendir } from 'node:fs/promises';
import type { FileAttributes } from '../../../shared/contract/file-handles.ts';
import { isOwnName } from '../../../shared/domain/files/file-path.ts';
import { nameOf } from '../../../shared/node/files/file-name.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import { statAt } from '../folder/entry.ts';
import { explained, requirePath } from '../folder/file-error.ts';
import { attributesOf } from './attributes.ts';

const READ_AT_ONCE = 100;

/** A folder that is listed in pieces. Its names are read as they are asked for: thousands of open folders must not fill the memory with them. */
export interface FolderHandle {
  next(limit: number): Promise<{ name: string; attributes: FileAttributes }[]>;
  close(): Promise<void>;
}

/** Opens a folder. Throws `file_not_found`, and `invalid_path` for anything else. */
export async function openFolderHandle(root: string, path: string): Promise<FolderHandle> {
  requirePath(path);
  return explained(path, async () => {
    const cursor = new TreeCursor(root);
    try {
      const place = cursor.enter(path);
      // The types do not know names as bytes.
      const options = { encoding: 'buffer' as BufferEncoding, bufferSize: READ_AT_ONCE };
      return listOf(cursor, { place, folder: await opendir(place, options), isTop: path === '' });
    } catch (error) {
      cursor[Symbol.dispose]();
      throw error;
    }
  });
}

function listOf(
  cursor: TreeCursor,
  { place, folder, isTop }: { place: string; folder: Dir; isTop: boolean },
): FolderHandle {
  // A folder that is being read cannot be closed.
  const mutex = createMutex();

  async function nextName(): Promise<string | undefined> {
    const entry = await folder.read();
    return entry ? nameOf(entry.name as unknown as Buffer) : undefined;
  }

  async function next(limit: number): Promise<{ name: string; attributes: FileAttributes }[]> {
    const found: { name: string; attributes: FileAttributes }[] = [];
    while (found.length < limit) {
      const name = await nextName();
      if (name === undefined) break;
      const stats = isTop && isOwnName(name) ? undefined : statAt(`${place}/${name}`);
      if (stats) found.push({ name, attributes: attributesOf(stats) }); // else it has vanished
    }
    return found;
  }

  return {
    next: (limit) => mutex.run(() => next(limit)),
    close: () =>
      mutex.run(async () => {
        await folder.close();
        cursor[Symbol.dispose]();
      }),
  };
}
