import {
  chmodSync,
  chownSync,
  closeSync,
  fchmodSync,
  fchownSync,
  futimesSync,
  lchownSync,
  openSync,
  write,
  writeSync,
} from 'node:fs';
import { type FileHandle, mkdir, open, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { requireSpace, withStorageError } from '../../../shared/node/files/disk-space.ts';
import { giveTo } from '../../../shared/node/files/owner.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { Progress } from '../progress.ts';
import { hashFile } from '../reading/hash-file.ts';
import type { ExtractResult, ExtractTask } from '../task-types.ts';
import { syncTree } from '../tree/sync-tree.ts';
import type { PlannedEntry } from './archive-plan.ts';
import { chooseFrom } from './choose.ts';
import { damaged, wrongHash } from './damaged.ts';
import { type OpenArchive, openArchive, ownArchiveRules } from './open-archive.ts';

const writeAsync = promisify(write);

/** Files extracted at a time: enough to read, inflate and write concurrently. */
const FILES_AT_ONCE = 4;
const SMALL_BYTES = 64 * 1024;
const DEFAULT_FILE_MODE = 0o644;
const DEFAULT_DIRECTORY_MODE = 0o755;

/**
 * Unpacks one of our own archives into a new folder. Checks its hash first, then its central directory, then the CRC-32 of every file.
 * Files are created exclusively, links come last and are never followed, so nothing is ever written through a link. Synced.
 * Throws `backup_damaged` and `insufficient_storage`; the target then keeps what was unpacked so far.
 */
export async function extract(task: ExtractTask): Promise<ExtractResult> {
  const handle = await open(task.archive, 'r');
  try {
    return await extractFrom(handle, task);
  } catch (error) {
    throw withStorageError(error, 'the restored folder');
  } finally {
    await handle.close();
  }
}

async function extractFrom(handle: FileHandle, task: ExtractTask): Promise<ExtractResult> {
  const progress = new Progress(task.progress);
  const { only } = task;
  progress.expect((await handle.stat()).size + (only ? 0 : task.sourceBytes));
  const sha256 = await hashFile(handle, progress);
  if (sha256 !== task.sha256) throw wrongHash();

  const archive = await openArchive(handle, ownArchiveRules(task.sourceBytes));
  const chosen = only ? chooseFrom(archive, only) : archive;
  if (only) progress.expect(chosen.bytes);
  await requireSpace(path.dirname(task.target), chosen.bytes, 'The restored folder');
  await unpack(chosen, task, progress);
  return { fileCount: chosen.entries.filter(({ kind }) => kind === 'file').length };
}

async function unpack(
  archive: OpenArchive,
  { target, owners }: Pick<ExtractTask, 'target' | 'owners'>,
  progress: Progress,
): Promise<void> {
  const ownerOf = ({ owner }: PlannedEntry) => (owners === 'kept' ? owner : owners);
  /** Many archives have no entries for folders. */
  const withDefaults = (place: string) => {
    if (owners !== 'kept') giveTo(owners, (uid, gid) => chownSync(place, uid, gid));
    chmodSync(place, DEFAULT_DIRECTORY_MODE);
  };
  const of = (kind: PlannedEntry['kind']) => archive.entries.filter((entry) => entry.kind === kind);
  // Private until it is complete.
  using around = new TreeCursor(path.dirname(target));
  await mkdir(around.placeOf(path.basename(target)), { mode: 0o700 });
  using cursor = new TreeCursor(target);
  for (const { name } of of('directory')) cursor.enter(name, withDefaults);

  const files = of('file').values();
  const writeRest = async () => {
    for (const entry of files) {
      const descriptor = openSync(cursor.placeOf(entry.name, withDefaults), 'wx', 0o600);
      await writeFile(archive, { ...entry, owner: ownerOf(entry), mode: modeOf(entry, owners) }, descriptor);
      progress.advance(entry.entry.uncompressedSize);
    }
  };
  await allOf(Array.from({ length: FILES_AT_ONCE }, writeRest));

  for (const entry of of('link')) {
    const link = await linkTarget(archive, entry);
    const place = cursor.placeOf(entry.name, withDefaults);
    await symlink(link, place);
    giveTo(ownerOf(entry), (uid, gid) => lchownSync(place, uid, gid));
  }
  // Deepest first, since a folder may end up read-only.
  for (const entry of of('directory').reverse()) {
    const place = cursor.enter(entry.name);
    giveTo(ownerOf(entry), (uid, gid) => chownSync(place, uid, gid));
    chmodSync(place, modeOf(entry, owners));
  }
  await syncTree(target);
}

/** A backup comes back as it was. What comes from elsewhere can be read and changed by its owner. */
function modeOf({ kind, mode }: PlannedEntry, owners: ExtractTask['owners']): number {
  const [usual, least] = kind === 'directory' ? [DEFAULT_DIRECTORY_MODE, 0o700] : [DEFAULT_FILE_MODE, 0o600];
  return owners === 'kept' ? (mode ?? usual) : (mode ?? usual) | least;
}

async function writeFile(
  archive: OpenArchive,
  entry: PlannedEntry & { mode: number },
  descriptor: number,
): Promise<void> {
  try {
    await archive.read(entry, (chunk) => writeAll(descriptor, chunk));
    giveTo(entry.owner, (uid, gid) => fchownSync(descriptor, uid, gid));
    fchmodSync(descriptor, entry.mode);
    futimesSync(descriptor, entry.modified, entry.modified);
  } finally {
    closeSync(descriptor);
  }
}

/** Small writes are synchronous: handing them to another thread takes longer. */
async function writeAll(descriptor: number, chunk: Buffer): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const length = chunk.length - done;
    done +=
      length <= SMALL_BYTES
        ? writeSync(descriptor, chunk, done, length)
        : (await writeAsync(descriptor, chunk, done, length)).bytesWritten;
  }
}

async function linkTarget(archive: OpenArchive, entry: PlannedEntry): Promise<string> {
  const chunks: Buffer[] = [];
  await archive.read(entry, (chunk) => void chunks.push(Buffer.from(chunk)));
  const target = Buffer.concat(chunks).toString();
  if (target === '' || target.includes('\0')) throw damaged(`The link "${entry.name}" leads nowhere.`);
  return target;
}

/** Like Promise.all, but waits for all promises even after a failure, because the caller then removes the files that they write. */
async function allOf(works: Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(works)) if (outcome.status === 'rejected') throw outcome.reason;
}
