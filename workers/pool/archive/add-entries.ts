import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import type { Progress } from '../progress.ts';
import type { Omissions } from '../tree/omissions.ts';
import { type Missing, missingBy, openLarge, readWhole } from '../tree/source-file.ts';
import { withEntry } from '../tree/unreadable.ts';
import type { SourceEntry } from '../tree/walk.ts';
import { worthDeflating } from './compressible.ts';
import type { ZipWriter } from './zip-writer.ts';

/** Files up to this size, so nearly every region file, are read whole, and again if they change meanwhile. Others are streamed. */
const WHOLE_FILE_BYTES = 16 * 1024 * 1024;

/** Size of an entry's headers, without its name, which they contain twice. */
const HEADER_BYTES = 230;

export interface Added {
  fileCount: number;
  /** Bytes of content before compression. */
  sourceBytes: number;
  /** Files that changed while they were read, or vanished. */
  changedFiles: string[];
}

export interface AddEntriesOptions {
  zip: ZipWriter;
  progress: Progress;
  source: string;
  omissions: Omissions;
}

/**
 * Adds what a walk has listed. No link is followed, even if one has replaced a folder since. A file that keeps changing while it is read is
 * archived as it is, with the length that it had when it was opened.
 */
export async function addEntries(
  { zip, progress, source, omissions }: AddEntriesOptions,
  entries: readonly SourceEntry[],
): Promise<Added> {
  const added: Added = { fileCount: 0, sourceBytes: 0, changedFiles: [] };
  using cursor = new TreeCursor(source);
  for (const entry of entries) {
    if (entry.kind === 'directory') await zip.directory(entry);
    else if (entry.kind === 'link') await zip.link(entry, entry.target);
    else {
      const taken = await addFile({ zip, progress, entry, cursor });
      if (taken === 'replaced') omissions.add(entry.name, 'replaced');
      if (typeof taken === 'string' || !taken.steady) added.changedFiles.push(entry.name);
      if (typeof taken === 'string') continue;
      added.fileCount++;
      added.sourceBytes += taken.bytes;
    }
  }
  return added;
}

/** Returns about how much the entries add to a ZIP beyond their content. */
export function headerBytes(entries: readonly SourceEntry[]): number {
  return entries.reduce((sum, { name }) => sum + HEADER_BYTES + 2 * Buffer.byteLength(name), 0);
}

interface Addition {
  zip: ZipWriter;
  progress: Progress;
  entry: SourceEntry & { kind: 'file' };
  cursor: TreeCursor;
}
type Taken = { bytes: number; steady: boolean } | Missing;

function addFile(addition: Addition): Promise<Taken> {
  return addition.entry.size > WHOLE_FILE_BYTES ? addLarge(addition) : addWhole(addition);
}

/** Reads from where the cursor finds the entry. An error tells which entry it is about. */
async function readEntry<T>({ cursor, entry }: Addition, read: (file: string) => Promise<T>): Promise<T | Missing> {
  try {
    return await read(cursor.placeOf(entry.name));
  } catch (error) {
    const missing = missingBy(error);
    if (missing) return missing;
    throw withEntry(error, entry.name);
  }
}

async function addWhole(addition: Addition): Promise<Taken> {
  const { zip, progress, entry } = addition;
  const content = await readEntry(addition, readWhole);
  if (typeof content === 'string') return content;
  const { bytes, steady } = content;
  const deflate = worthDeflating({ name: entry.name, size: bytes.length }, (position, length) =>
    bytes.subarray(position, position + length),
  );
  await zip.file(entry, bytes, deflate);
  progress.advance(bytes.length);
  return { bytes: bytes.length, steady };
}

async function addLarge(addition: Addition): Promise<Taken> {
  const { zip, progress, entry } = addition;
  const source = await readEntry(addition, openLarge);
  if (typeof source === 'string') return source;
  try {
    let bytes = 0;
    const count = (chunk: number) => {
      bytes += chunk;
      progress.advance(chunk);
    };
    const deflate = worthDeflating({ name: entry.name, size: source.size }, source.peek);
    await zip.stream(entry, counted(source.chunks(), { entry, count }), deflate);
    return { bytes, steady: source.isSteady() };
  } finally {
    source.close();
  }
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  { entry, count }: { entry: SourceEntry; count: (bytes: number) => void },
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of chunks) {
      yield chunk;
      count(chunk.length);
    }
  } catch (error) {
    throw withEntry(error, entry.name);
  }
}
