import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { isOwnName } from '../../../shared/domain/files/file-path.ts';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { nameOf } from '../../../shared/node/files/file-name.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import type { FileKind } from '../../../shared/schema/files.ts';
import { kindOf } from './entry.ts';
import { explained } from './file-error.ts';
import { createTurns } from './turns.ts';

export interface Walked {
  /** Relative to the instance's folder; names as in shared/node/files/file-name.ts. */
  path: string;
  kind: FileKind;
  /** Leads to it until the next one is asked for. */
  place: string;
}

/**
 * Yields all that is below a folder, in no particular order. Links are yielded and not followed. Folders that vanish meanwhile or cannot be read are
 * passed over. Gamekeeper's folders are left out, unless the walk begins at one. Throws for `path` itself as `listFolder`.
 */
export async function* walkFolder(root: string, path: string, signal: AbortSignal): AsyncGenerator<Walked> {
  using cursor = explained(path, () => new TreeCursor(root));
  const turns = createTurns(signal);
  const open = [path];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    signal.throwIfAborted();
    const reading = entriesOf(cursor, here);
    const entries = await (here === path ? explained(path, () => reading) : reading.catch(none));
    for (const entry of entries) {
      await turns.next();
      const name = nameOf(entry.name);
      if (here === '' && isOwnName(name)) continue;
      const below = here === '' ? name : `${here}/${name}`;
      const kind = kindOf(entry);
      if (kind === 'folder') open.push(below);
      yield { path: below, kind, place: `${cursor.enter(here)}/${name}` };
    }
  }
}

async function entriesOf(cursor: TreeCursor, folder: string): Promise<Dirent<Buffer>[]> {
  return await readdir(cursor.enter(folder), { withFileTypes: true, encoding: 'buffer' });
}

/** For a folder that is gone, was replaced by a link, or cannot be read. */
function none(error: unknown): [] {
  if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) return [];
  throw error;
}
