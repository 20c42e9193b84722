import { chmodSync, chownSync, lstatSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { hasErrorCode } from '../../../../shared/errors/error-code.ts';
import { bytesOf } from '../../../../shared/node/files/file-name.ts';
import { giveTo, ownerOf } from '../../../../shared/node/files/owner.ts';
import { TreeCursor } from '../../../../shared/node/files/tree-cursor.ts';

type End = 'from' | 'to';

/**
 * The two ends of a rename. Both are reached from the folder that they share, which is the server's folder or the one above it, without
 * following a link: a restored backup may contain links where the previous content had folders. To be declared with `using`.
 */
export class MoveWay {
  readonly #names: Record<End, string>;
  readonly #cursors: Record<End, TreeCursor>;

  /** Absolute paths, encoded as in shared/node/files/file-name.ts. */
  constructor({ from, to }: Record<End, string>) {
    const shared = sharedFolder(from, to);
    this.#names = { from: relativeTo(shared, from), to: relativeTo(shared, to) };
    this.#cursors = { from: new TreeCursor(shared), to: new TreeCursor(shared) };
  }

  [Symbol.dispose](): void {
    this.#cursors.from[Symbol.dispose]();
    this.#cursors.to[Symbol.dispose]();
  }

  /** `blocked`: a link or a file is in place of a folder on the way. */
  presence(end: End): 'present' | 'missing' | 'blocked' {
    try {
      lstatSync(bytesOf(this.#cursors[end].placeOf(this.#names[end])));
      return 'present';
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return 'missing';
      if (hasErrorCode(error, 'ENOTDIR', 'ELOOP')) return 'blocked';
      throw error;
    }
  }

  /** Creates missing folders like those at the other end. Refuses to replace anything: rename(2) would replace a file or an empty folder. */
  rename(from: End, to: End): void {
    if (this.presence(to) !== 'missing') throw new Error(`${this.#names[to]} is in the way`);
    const target = this.#cursors[to].placeOf(this.#names[to], (place, name) =>
      this.#resemble(place, { name, from, to }),
    );
    renameSync(bytesOf(this.#cursors[from].placeOf(this.#names[from])), bytesOf(target));
  }

  #resemble(place: string, { name, from, to }: { name: string; from: End; to: End }): void {
    const levels = this.#names[to].split('/').length - name.split('/').length;
    const other = this.#names[from].split('/').slice(0, -levels).join('/');
    const stats = statSync(this.#cursors[from].enter(other));
    giveTo(ownerOf(stats), (uid, gid) => chownSync(bytesOf(place), uid, gid));
    chmodSync(bytesOf(place), stats.mode & 0o7777);
  }
}

function sharedFolder(from: string, to: string): string {
  let folder = path.dirname(from);
  while (!isBelow(to, folder)) folder = path.dirname(folder);
  return folder;
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

function relativeTo(folder: string, file: string): string {
  return file.slice(folder.length).split(path.sep).filter(Boolean).join('/');
}
