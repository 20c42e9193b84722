import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { shownName } from '../../shared/node/file-name.ts';
import { requireSpace, withStorageError } from '../../shared/node/free-space.ts';
import { worthDeflating } from './compressible.ts';
import { exclusion } from './exclusion.ts';
import { openLarge, readWhole } from './source-file.ts';
import { type ArchiveResult, type ArchiveTask, Progress } from './task-types.ts';
import { type SourceEntry, walk } from './walk.ts';
import { createZip, type ZipWriter } from './zip-writer.ts';

/**
 * Up to this size a file is read whole before it is archived, so that it can be read anew when it changes meanwhile: nearly every region
 * file. Larger ones are streamed.
 */
const WHOLE_FILE_BYTES = 16 * 1024 * 1024;
/** Room that an entry's headers take, besides its name twice. */
const HEADER_BYTES = 200;

/**
 * Writes a folder into a ZIP: permissions and empty folders kept, links as links, what is compressed already stored and the rest
 * deflated. A file that changes while it is read is read again a few times, then taken as it is, of the length that it had when it was
 * opened; it is named in `changedFiles`, and so is one that vanishes or that a ZIP cannot name. The target is synced, and stays if the task fails.
 *
 * Throws `insufficient_storage`; `invalid_state` when something in the folder cannot be read.
 */
export async function archive(task: ArchiveTask): Promise<ArchiveResult> {
  try {
    return await archiveFolder(task);
  } catch (error) {
    throw withStorageError(withPermissionError(error, task), 'the backup');
  }
}

async function archiveFolder(task: ArchiveTask): Promise<ArchiveResult> {
  const progress = new Progress(task.progress);
  const source = await realpath(task.source);
  const { entries, bytes, leftOut, vanished } = walk(source, exclusion(task.exclude));
  progress.expect(bytes);
  const headers = entries.reduce((sum, { name }) => sum + HEADER_BYTES + 2 * Buffer.byteLength(name), 0);
  await requireSpace(path.dirname(task.target), bytes + headers, 'The backup');

  const zip = await createZip(task.target);
  const changedFiles = [...vanished, ...leftOut.filter((name) => !name.isWellFormed()).map(shownName)];
  let fileCount = 0;
  let sourceBytes = 0;
  try {
    for (const entry of entries) {
      if (entry.kind === 'directory') await zip.directory(entry);
      else if (entry.kind === 'link') await zip.link(entry, entry.target);
      else {
        const taken = await addFile({ zip, progress, entry, file: path.join(source, entry.name) });
        if (!taken?.steady) changedFiles.push(entry.name);
        if (!taken) continue;
        fileCount++;
        sourceBytes += taken.bytes;
      }
    }
    return { ...(await zip.finish()), fileCount, sourceBytes, changedFiles, leftOut };
  } catch (error) {
    await zip.abort();
    throw error;
  }
}

interface Addition {
  zip: ZipWriter;
  progress: Progress;
  entry: SourceEntry & { kind: 'file' };
  file: string;
}
/** What went into the archive; `undefined`: the file is gone. */
type Taken = { bytes: number; steady: boolean } | undefined;

function addFile(addition: Addition): Promise<Taken> {
  return addition.entry.size > WHOLE_FILE_BYTES ? addLarge(addition) : addWhole(addition);
}

async function addWhole({ zip, progress, entry, file }: Addition): Promise<Taken> {
  const content = await readWhole(file);
  if (!content) return undefined;
  const { bytes, steady } = content;
  const deflate = worthDeflating({ name: entry.name, size: bytes.length }, (position, length) =>
    bytes.subarray(position, position + length),
  );
  await zip.file(entry, bytes, deflate);
  progress.advance(bytes.length);
  return { bytes: bytes.length, steady };
}

async function addLarge({ zip, progress, entry, file }: Addition): Promise<Taken> {
  const source = await openLarge(file);
  if (!source) return undefined;
  try {
    let bytes = 0;
    const count = (chunk: number) => {
      bytes += chunk;
      progress.advance(chunk);
    };
    const deflate = worthDeflating({ name: entry.name, size: source.size }, source.peek);
    await zip.stream(entry, counted(source.chunks(), count), deflate);
    return { bytes, steady: source.isSteady() };
  } finally {
    source.close();
  }
}

async function* counted(chunks: AsyncIterable<Buffer>, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk;
    count(chunk.length);
  }
}

/** A file that we may not read would be missing from the backup without anybody noticing: better no backup, and a word why. */
function withPermissionError(error: unknown, { source, target }: ArchiveTask): unknown {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return error;
  if (error.code !== 'EACCES' && error.code !== 'EPERM' && error.code !== 'EROFS') return error;
  if (error.path === target)
    return new GamekeeperError('invalid_state', 'The backups folder cannot be written to.', {
      resolution: 'Give Gamekeeper the right to write there, or set another backups.directory.',
      cause: error,
    });
  const name = path.relative(source, String(error.path));
  return new GamekeeperError('invalid_state', `"${name}" in the server's folder cannot be read.`, {
    resolution: 'Give Gamekeeper the right to read it, or leave it out with backups.exclude in the settings.',
    cause: error,
  });
}
