import { createHash, randomBytes } from 'node:crypto';
import { type BigIntStats, linkSync, unlinkSync } from 'node:fs';
import { OWN_FOLDER } from '../../../shared/domain/files/file-path.ts';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { bytesOf } from '../../../shared/node/files/file-name.ts';
import { removeTree } from '../../../shared/node/files/remove-tree.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import type { FileVersion } from '../../../shared/schema/files.ts';
import { modifiedAt, statAt } from '../folder/entry.ts';
import { explained, fileNotFound, requirePath } from '../folder/file-error.ts';
import { type OpenedFile, openOrdinary } from '../folder/open-file.ts';
import { namesIn } from '../folder/own-folder.ts';

const HISTORY = `${OWN_FOLDER}/history`;
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const MOST_VERSIONS = 20;
/** Worlds and archives are for backups. */
const LARGEST_BYTES = 16 * 1024 * 1024;
/** Of all versions of an instance. */
const MOST_BYTES = 1024 * 1024 * 1024;
/** When it was replaced, in milliseconds since the epoch, and what tells two of one moment apart. */
const VERSION = /^([0-9a-z]{8,9})-[0-9a-f]{8}$/;

/** Of file systems without hard links, and of links in the way that the game has made. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EACCES', 'ENOTDIR', 'ELOOP'];

/**
 * Keeps the file at `target` as an earlier version of `path`, just before it is replaced. That takes no time: both are the same bytes on the disk.
 * Of large files, and on disks without hard links, nothing is kept.
 */
export function keepVersion(root: string, path: string, { target, former, now }: Replaced): void {
  if (former.size > LARGEST_BYTES) return;
  const folder = folderOf(path);
  using cursor = new TreeCursor(root);
  try {
    const version = `${now.toString(36)}-${randomBytes(4).toString('hex')}`;
    linkSync(
      bytesOf(target),
      cursor.placeOf(`${folder}/${version}`, () => undefined),
    );
    for (const old of versionsIn(root, folder).slice(MOST_VERSIONS)) unlinkSync(cursor.placeOf(`${folder}/${old}`));
  } catch (error) {
    if (!hasErrorCode(error, ...NO_LINKS)) throw error;
  }
}

interface Replaced {
  /** Its place (TreeCursor). */
  target: string;
  former: BigIntStats;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Returns the earlier versions of a file, newest first. */
export function listVersions(root: string, path: string): FileVersion[] {
  requirePath(path, { isBelow: true });
  return explained(path, () => {
    const versions = versionsIn(root, folderOf(path));
    using cursor = new TreeCursor(root);
    return versions.flatMap((version): FileVersion[] => {
      const stats = statAt(cursor.placeOf(`${folderOf(path)}/${version}`));
      if (!stats?.isFile()) return [];
      const replacedAt = new Date(timeOf(version)).toISOString();
      return [{ version, replacedAt, modifiedAt: modifiedAt(stats), sizeBytes: Number(stats.size) }];
    });
  });
}

/** Opens an earlier version of a file. Throws `file_not_found`. */
export function openVersion(root: string, path: string, version: string): OpenedFile {
  requirePath(path, { isBelow: true });
  if (!VERSION.test(version)) throw fileNotFound(`${path}, version ${version}`);
  return explained(`${path}, version ${version}`, () => {
    using cursor = new TreeCursor(root);
    return openOrdinary(cursor.placeOf(ownPathOf(path, version)), path);
  });
}

/** Returns where a version is, inside `root`. */
export function ownPathOf(path: string, version: string): string {
  return `${folderOf(path)}/${version}`;
}

/** Removes what is older than 30 days, and the oldest beyond 1 GiB in all. `now` in milliseconds since the epoch. */
export async function expireVersions(root: string, now: number): Promise<void> {
  using cursor = new TreeCursor(root);
  const all = namesIn(root, HISTORY).flatMap((file) =>
    versionsIn(root, `${HISTORY}/${file}`).map((version) => ({
      own: `${HISTORY}/${file}/${version}`,
      at: timeOf(version),
    })),
  );
  let bytes = 0;
  for (const { own, at } of all.sort((one, other) => other.at - one.at)) {
    bytes += Number(statAt(cursor.placeOf(own))?.size ?? 0);
    if (at + KEPT_MS <= now || bytes > MOST_BYTES) await removeTree(cursor.placeOf(own));
  }
}

/** The folder of the versions of a file. Its name is as long for any path. */
function folderOf(path: string): string {
  return `${HISTORY}/${createHash('sha256').update(bytesOf(path)).digest('hex').slice(0, 32)}`;
}

/** Newest first. */
function versionsIn(root: string, folder: string): string[] {
  return namesIn(root, folder)
    .filter((name) => VERSION.test(name))
    .sort((one, other) => timeOf(other) - timeOf(one));
}

function timeOf(version: string): number {
  return Number.parseInt(version, 36);
}
