import { constants } from 'node:fs';
import { lstat, open, readlink, realpath } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { Progress } from '../progress.ts';
import { blocksOf } from '../reading/file-blocks.ts';
import type { CompareResult, CompareTask } from '../task-types.ts';
import type { PlannedEntry } from './archive-plan.ts';
import { damaged } from './damaged.ts';
import { type OpenArchive, openArchive, ownArchiveRules } from './open-archive.ts';

const BLOCK_BYTES = 1024 * 1024;

/** Reads back an unpacked archive: the length and CRC-32 of every file, the target of every link, every folder. Throws `backup_damaged`. */
export async function compare(task: CompareTask): Promise<CompareResult> {
  const progress = new Progress(task.progress);
  const handle = await open(task.archive, 'r');
  using cursor = new TreeCursor(await realpath(task.folder));
  try {
    const archive = await openArchive(handle, ownArchiveRules(task.sourceBytes));
    progress.expect(archive.bytes);
    for (const entry of archive.entries) {
      await compareEntry(archive, entry, { cursor, progress }).catch((error: unknown) => {
        throw isAnotherThing(error) ? differs(entry) : error;
      });
    }
    return { fileCount: archive.entries.filter(({ kind }) => kind === 'file').length };
  } finally {
    await handle.close();
  }
}

async function compareEntry(
  archive: OpenArchive,
  entry: PlannedEntry,
  { cursor, progress }: { cursor: TreeCursor; progress: Progress },
): Promise<void> {
  const unpacked = cursor.placeOf(entry.name);
  switch (entry.kind) {
    case 'file':
      return compareFile(entry, unpacked, progress);
    case 'link':
      return compareLink(archive, entry, unpacked);
    case 'directory':
      if (!(await lstat(unpacked)).isDirectory()) throw differs(entry);
  }
}

async function compareFile(planned: PlannedEntry, unpacked: string, progress: Progress): Promise<void> {
  const { uncompressedSize, crc32: expected } = planned.entry;
  const handle = await open(unpacked, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { size } = await handle.stat();
    if (size !== uncompressedSize) throw differs(planned);
    let checksum = 0;
    for await (const { bytes } of blocksOf(handle, { start: 0, end: size, blockBytes: BLOCK_BYTES })) {
      checksum = crc32(bytes, checksum);
      progress.advance(bytes.length);
    }
    if (checksum !== expected) throw differs(planned);
  } finally {
    await handle.close();
  }
}

async function compareLink(archive: OpenArchive, entry: PlannedEntry, unpacked: string): Promise<void> {
  const chunks: Buffer[] = [];
  await archive.read(entry, (chunk) => void chunks.push(Buffer.from(chunk)));
  if ((await readlink(unpacked)) !== Buffer.concat(chunks).toString()) throw differs(entry);
}

/** True if the entry is missing, or is of another kind. */
function isAnotherThing(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EINVAL');
}

function differs({ name }: PlannedEntry) {
  return damaged(`"${name}" differs from the archive.`);
}
