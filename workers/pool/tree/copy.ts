import { closeSync, constants, copyFileSync, rmSync } from 'node:fs';
import { chmod, copyFile, mkdir, realpath, stat, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { requireSpace, withStorageError } from '../../../shared/node/files/disk-space.ts';
import { bytesOf, nameOf, shownName } from '../../../shared/node/files/file-name.ts';
import { Progress } from '../progress.ts';
import type { CopyResult, CopyTask } from '../task-types.ts';
import { createExclusion } from './exclusion.ts';
import { openInPlace } from './source-file.ts';
import { syncTree } from './sync-tree.ts';
import { type SourceEntry, walk } from './walk.ts';

/** Enough to keep a disk busy. */
const FILES_AT_ONCE = 4;

/**
 * Copies a server's folder into a new one, with permissions and times but without lock files, sharing blocks on disk if the file system
 * can. If a file is replaced by a link meanwhile, the link is not followed (CVE-2024-27102). Synced.
 * Throws `insufficient_storage`, and `invalid_state` for what cannot be read and for links to a folder elsewhere, which both servers would
 * write to. After a failure, the target keeps what was copied so far.
 */
export async function copy(task: CopyTask): Promise<CopyResult> {
  try {
    return await copyFolder(task);
  } catch (error) {
    throw withStorageError(withPermissionError(error, task.source), 'the copy');
  }
}

async function copyFolder({ source: configured, target, progress: memory }: CopyTask): Promise<CopyResult> {
  const progress = new Progress(memory);
  const source = await realpath(configured);
  const { entries, bytes } = walk(source, createExclusion([]), 'any');
  progress.expect(bytes);
  await mkdir(target, { mode: 0o700 });
  if (!sharesBlocks(source, target, entries)) await requireSpace(target, bytes, 'The copy');

  const place = ({ name }: SourceEntry) => bytesOf(path.join(target, name));
  const folders = entries.filter((entry) => entry.kind === 'directory');
  for (const folder of folders) await mkdir(place(folder), { mode: 0o700 });
  const files = entries.filter((entry) => entry.kind === 'file').values();
  let fileCount = 0;
  const copyRest = async () => {
    for (const entry of files) {
      if (await copyOne(source, entry, place(entry))) fileCount++;
      progress.advance(entry.size);
    }
  };
  for (const outcome of await Promise.allSettled(Array.from({ length: FILES_AT_ONCE }, copyRest)))
    if (outcome.status === 'rejected') throw outcome.reason;
  const links = entries.filter((entry) => entry.kind === 'link');
  for (const link of links) await symlink(bytesOf(await ownTarget(source, link)), place(link));
  // Only when all exist, since one link may lead through another.
  const ownPlace = await realpath(target);
  for (const link of links) await requireWithin(ownPlace, link);
  // Deepest first, since a folder may end up read-only.
  for (const folder of folders.reverse()) {
    await chmod(place(folder), folder.mode);
    await utimes(place(folder), folder.modified, folder.modified);
  }
  await syncTree(target);
  return { fileCount };
}

/** Returns false if the file is gone. */
async function copyOne(source: string, { name, mode, modified }: SourceEntry, target: string | Buffer) {
  const opened = openInPlace(path.join(source, name));
  if (opened === undefined) return false;
  try {
    await copyFile(opened.place, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  } finally {
    closeSync(opened.descriptor);
  }
  await chmod(target, mode);
  await utimes(target, modified, modified);
  return true;
}

/** Returns true if copies on this file system take no disk space until one of the two changes. Tries it. */
function sharesBlocks(source: string, target: string, entries: readonly SourceEntry[]): boolean {
  const sample = entries.find((entry) => entry.kind === 'file' && entry.size > 0);
  if (!sample) return false;
  const trial = path.join(target, '.gamekeeper-trial');
  try {
    copyFileSync(bytesOf(path.join(source, sample.name)), trial, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    // Most file systems cannot, and two disks never can.
    return false;
  } finally {
    rmSync(trial, { force: true });
  }
}

/**
 * Returns the target of a link in the copy. A link within the source leads to the same place within the copy, however it is written:
 * `../survival/world2` in a server called `survival` would lead from the copy into the source.
 */
async function ownTarget(source: string, { name, target }: SourceEntry & { kind: 'link' }): Promise<string> {
  const folder = path.dirname(path.join(source, name));
  const absolute = path.resolve(folder, target);
  if (isIn(source, absolute)) return path.relative(folder, absolute) || '.';
  if (await isFolder(bytesOf(path.join(source, name)))) throw leadsOut({ name, target });
  return target;
}

/** Throws for a link to a folder outside of the copy. */
async function requireWithin(copied: string, link: SourceEntry & { kind: 'link' }): Promise<void> {
  const place = bytesOf(path.join(copied, link.name));
  if ((await isFolder(place)) && !isIn(copied, nameOf(await realpath(place, 'buffer')))) throw leadsOut(link);
}

async function isFolder(place: string | Buffer): Promise<boolean> {
  const stats = await stat(place).catch(() => undefined); // leads nowhere
  return stats?.isDirectory() ?? false;
}

function isIn(folder: string, place: string): boolean {
  return place === folder || place.startsWith(folder + path.sep);
}

function leadsOut({ name, target }: { name: string; target: string }): GamekeeperError {
  return new GamekeeperError(
    'invalid_state',
    `"${shownName(name)}" leads out of the server's folder, to ${shownName(target)}: the copy would write there, too.`,
    { resolution: 'Replace the link with the folder itself, or copy the server by hand.' },
  );
}

function withPermissionError(error: unknown, source: string): unknown {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return error;
  if (error.code !== 'EACCES' && error.code !== 'EPERM') return error;
  return new GamekeeperError('invalid_state', `"${path.relative(source, String(error.path))}" cannot be read.`, {
    resolution: 'Give Gamekeeper read access to it.',
    cause: error,
  });
}
