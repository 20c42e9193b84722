import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { requireSpace, withStorageError } from '../../../shared/node/files/disk-space.ts';
import { shownName } from '../../../shared/node/files/file-name.ts';
import { Progress } from '../progress.ts';
import type { ArchiveResult, ArchiveTask } from '../task-types.ts';
import { createExclusion } from '../tree/exclusion.ts';
import { unreadable } from '../tree/unreadable.ts';
import { walk } from '../tree/walk.ts';
import { requireWorldInside } from '../tree/world-links.ts';
import { addEntries, headerBytes } from './add-entries.ts';
import { ArchiveFile } from './archive-file.ts';
import { createZip } from './zip-writer.ts';

/** More names of changed files are not recorded. */
const MOST_CHANGED = 1_000;

/**
 * Archives a folder into a ZIP: with permissions, owners, empty folders, and links as links; compressed formats are stored, the rest is
 * deflated. A file that changes while it is read is read again a few times, then taken as it is, with the length that it had when it was
 * opened. `changedFiles` names those files, and those that vanished or that a ZIP cannot name. The target is synced; it stays if the task
 * fails. Throws `insufficient_storage`, and `invalid_state` if something in the folder cannot be read or the world is behind a link.
 */
export async function archive(task: ArchiveTask): Promise<ArchiveResult> {
  try {
    return await archiveFolder(task);
  } catch (error) {
    throw withStorageError(withReadError(error, task), 'the backup');
  }
}

async function archiveFolder(task: ArchiveTask): Promise<ArchiveResult> {
  const progress = new Progress(task.progress);
  const source = await realpath(task.source);
  const { entries, bytes, leftOut, vanished, omissions, outsideLinks } = walk(source, createExclusion(task.exclude));
  if (!task.allowWorldLinks) requireWorldInside(source, outsideLinks, 'backup');
  progress.expect(bytes);
  await requireSpace(path.dirname(task.target), bytes + headerBytes(entries), 'The backup');

  const file = await ArchiveFile.create(task.target);
  const zip = createZip(file);
  const unnamed = leftOut.filter((name) => !name.isWellFormed());
  try {
    const { fileCount, sourceBytes, changedFiles } = await addEntries({ zip, progress, source, omissions }, entries);
    await zip.finish();
    const { size: sizeBytes } = file;
    const changed = [...vanished, ...unnamed, ...changedFiles].slice(0, MOST_CHANGED).map(shownName);
    return {
      ...{ sizeBytes, sha256: file.sha256(), fileCount, sourceBytes, changedFiles: changed, leftOut },
      ...{ omitted: omissions.listed, omittedCount: omissions.count },
    };
  } catch (error) {
    await zip.abort();
    throw error;
  }
}

/** An unreadable file must fail the backup: otherwise it would be missing from it unnoticed. */
function withReadError(error: unknown, { target }: ArchiveTask): unknown {
  const isTarget = error instanceof Error && 'path' in error && error.path === target;
  if (isTarget && hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS'))
    return new GamekeeperError('invalid_state', 'The backups folder cannot be written to.', {
      resolution: 'Give Gamekeeper write access to it, or set another backups.directory.',
      cause: error,
    });
  return unreadable(error, ', or leave it out with backups.exclude in the settings.');
}
