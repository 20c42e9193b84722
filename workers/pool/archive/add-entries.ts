import path from 'node:path';
import type { Progress } from '../progress.ts';
import { openLarge, readWhole } from '../tree/source-file.ts';
import type { SourceEntry } from '../tree/walk.ts';
import { worthDeflating } from './compressible.ts';
import type { ZipWriter } from './zip-writer.ts';

/** Files up to this size, so nearly every region file, are read whole, and again if they change meanwhile. Others are streamed. */
const WHOLE_FILE_BYTES = 16 * 1024 * 1024;

export interface Added {
  fileCount: number;
  /** Bytes of content before compression. */
  sourceBytes: number;
  /** Files that changed while they were read, or vanished. */
  changedFiles: string[];
}

/** A file that keeps changing while it is read is archived as it is, with the length that it had when it was opened. */
export async function addEntries(
  { zip, progress, source }: { zip: ZipWriter; progress: Progress; source: string },
  entries: readonly SourceEntry[],
): Promise<Added> {
  const added: Added = { fileCount: 0, sourceBytes: 0, changedFiles: [] };
  for (const entry of entries) {
    if (entry.kind === 'directory') await zip.directory(entry);
    else if (entry.kind === 'link') await zip.link(entry, entry.target);
    else {
      const taken = await addFile({ zip, progress, entry, file: path.join(source, entry.name) });
      if (!taken?.steady) added.changedFiles.push(entry.name);
      if (!taken) continue;
      added.fileCount++;
      added.sourceBytes += taken.bytes;
    }
  }
  return added;
}

interface Addition {
  zip: ZipWriter;
  progress: Progress;
  entry: SourceEntry & { kind: 'file' };
  file: string;
}
/** `undefined`: the file is gone. */
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
