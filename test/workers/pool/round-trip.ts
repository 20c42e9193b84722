import { createHash } from 'node:crypto';
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { archive } from '../../../workers/pool/archive/archive.ts';
import { extract } from '../../../workers/pool/extract/extract.ts';
import { Progress } from '../../../workers/pool/progress.ts';
import type { ArchiveResult, ExtractResult } from '../../../workers/pool/task-types.ts';

/** Archives a folder like the pool's task. */
export function pack(source: string, target: string, exclude: string[] = []): Promise<ArchiveResult> {
  return archive({ source, target, exclude, progress: new Progress().memory });
}

/** Unpacks a backup with its own hash, without a size limit by default. */
export function unpack(archiveFile: string, target: string, sourceBytes = 1e9): Promise<ExtractResult> {
  return extract({ ...taskOf(archiveFile, target), sourceBytes, owners: 'kept' });
}

/** Unpacks an archive that Gamekeeper has not made. */
export function unpackFromElsewhere(archiveFile: string, target: string): Promise<ExtractResult> {
  return extract({ ...taskOf(archiveFile, target), sourceBytes: 1e9 });
}

function taskOf(archiveFile: string, target: string) {
  const sha256 = createHash('sha256').update(readFileSync(archiveFile)).digest('hex');
  return { archive: archiveFile, target, sha256, progress: new Progress().memory };
}

/** Writes text or bytes by relative path; a path that ends with a slash is an empty folder. */
export function fill(folder: string, files: Record<string, string | Buffer>): string {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(name.endsWith('/') ? file : path.dirname(file), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(file, content);
  }
  return folder;
}

/** Builds a chain of folders of the same name below a folder, deeper than any path can say, with a file in the last one. Linux only. */
export function nest(folder: string, depth: number, name: string): void {
  let above = openSync(folder, 'r');
  for (let level = 0; level < depth; level++) {
    mkdirSync(`/proc/self/fd/${above}/${name}`);
    const below = openSync(`/proc/self/fd/${above}/${name}`, 'r');
    closeSync(above);
    above = below;
  }
  writeFileSync(`/proc/self/fd/${above}/last.txt`, 'last');
  closeSync(above);
}

/** Describes everything below a folder, with permissions and hashes, to compare two folders. */
export function inventory(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  // Without types, Node would follow links to folders.
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const name of entries.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))).sort()) {
    const stats = lstatSync(path.join(folder, name));
    const mode = (stats.mode & 0o777).toString(8);
    if (stats.isSymbolicLink()) found[name] = `link to ${readlinkSync(path.join(folder, name))}`;
    else if (stats.isDirectory()) found[name] = `folder ${mode}`;
    else
      found[name] = `file ${mode} ${createHash('sha256')
        .update(readFileSync(path.join(folder, name)))
        .digest('hex')
        .slice(0, 16)}`;
  }
  return found;
}
