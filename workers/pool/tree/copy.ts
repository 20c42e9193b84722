import { chownSync, closeSync, constants, copyFileSync, rmSync } from 'node:fs';
import { chmod, copyFile, mkdir, realpath, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { requireSpace, withStorageError } from '../../../shared/node/files/disk-space.ts';
import { bytesOf } from '../../../shared/node/files/file-name.ts';
import { giveTo, ownerOf } from '../../../shared/node/files/owner.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { Progress } from '../progress.ts';
import type { CopyResult, CopyTask } from '../task-types.ts';
import { copyLinks } from './copy-links.ts';
import { createExclusion } from './exclusion.ts';
import { type Missing, missingBy, openInPlace } from './source-file.ts';
import { syncTree } from './sync-tree.ts';
import { unreadable, withEntry } from './unreadable.ts';
import { type SourceEntry, walk } from './walk.ts';

/** Enough to keep a disk busy. */
const FILES_AT_ONCE = 4;

/**
 * Copies a server's folder into a new one, with permissions, owners where allowed, and times but without lock files, sharing blocks on disk
 * if the file system can. If something is replaced by a link meanwhile, the link is not followed (CVE-2024-27102). Synced.
 * Throws `insufficient_storage`, and `invalid_state` for what cannot be read and for links to a folder elsewhere, which both servers would
 * write to. After a failure, the target keeps what was copied so far.
 */
export async function copy(task: CopyTask): Promise<CopyResult> {
  try {
    return await copyFolder(task);
  } catch (error) {
    throw withStorageError(unreadable(error), 'the copy');
  }
}

async function copyFolder({ source: configured, target: wanted, progress: memory }: CopyTask): Promise<CopyResult> {
  const progress = new Progress(memory);
  const source = await realpath(configured);
  const { entries, bytes, omissions } = walk(source, createExclusion([]), 'any');
  progress.expect(bytes);
  await mkdir(wanted, { mode: 0o700 });
  const target = await realpath(wanted);
  if (!sharesBlocks(source, target, entries)) await requireSpace(target, bytes, 'The copy');

  using from = new TreeCursor(source);
  using to = new TreeCursor(target);
  const folders = entries.filter((entry) => entry.kind === 'directory');
  for (const { name } of folders) to.enter(name, () => undefined);
  const files = entries.filter((entry) => entry.kind === 'file').values();
  let fileCount = 0;
  const copyRest = async () => {
    using reading = new TreeCursor(source);
    using writing = new TreeCursor(target);
    for (const entry of files) {
      const missing = await copyOne(entry, { from: reading, to: writing });
      if (missing === 'replaced') omissions.add(entry.name, missing);
      if (!missing) fileCount++;
      progress.advance(entry.size);
    }
  };
  for (const outcome of await Promise.allSettled(Array.from({ length: FILES_AT_ONCE }, copyRest)))
    if (outcome.status === 'rejected') throw outcome.reason;
  copyLinks(
    entries.filter((entry) => entry.kind === 'link'),
    { source, target, from, to },
  );
  // Deepest first, since a folder may end up read-only.
  for (const folder of folders.reverse()) await finish(folder, to.enter(folder.name));
  giveTo(ownerOf(await stat(source)), (uid, gid) => chownSync(target, uid, gid));
  await syncTree(target);
  return { fileCount, omitted: omissions.listed, omittedCount: omissions.count };
}

/** Returns why the file could not be copied, or `undefined`. */
async function copyOne(
  entry: SourceEntry,
  { from, to }: { from: TreeCursor; to: TreeCursor },
): Promise<Missing | undefined> {
  const opened = openEntry(entry, from);
  if (typeof opened === 'string') return opened;
  const target = bytesOf(to.placeOf(entry.name));
  try {
    await copyFile(opened.place, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  } finally {
    closeSync(opened.descriptor);
  }
  await finish(entry, target);
  return undefined;
}

function openEntry({ name }: SourceEntry, from: TreeCursor): ReturnType<typeof openInPlace> {
  try {
    return openInPlace(from.placeOf(name));
  } catch (error) {
    const missing = missingBy(error);
    if (missing) return missing;
    throw withEntry(error, name);
  }
}

async function finish({ owner, mode, modified }: SourceEntry, place: string | Buffer): Promise<void> {
  giveTo(owner, (uid, gid) => chownSync(place, uid, gid));
  await chmod(place, mode);
  await utimes(place, modified, modified);
}

/** Returns true if copies on this file system take no disk space until one of the two changes. Tries it. */
function sharesBlocks(source: string, target: string, entries: readonly SourceEntry[]): boolean {
  const sample = entries.find((entry) => entry.kind === 'file' && entry.size > 0);
  if (!sample) return false;
  const trial = path.join(target, '.gamekeeper-trial');
  using from = new TreeCursor(source);
  const opened = openEntry(sample, from);
  if (typeof opened === 'string') return false;
  try {
    copyFileSync(opened.place, trial, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    // Most file systems cannot, and two disks never can.
    return false;
  } finally {
    closeSync(opened.descriptor);
    rmSync(trial, { force: true });
  }
}
