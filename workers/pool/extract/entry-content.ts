import { Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { Entry } from 'yauzl';
import { errorCode } from '../../../shared/errors/error-code.ts';
import type { ByteSource } from '../reading/byte-source.ts';
import { damaged } from './damaged.ts';

/** Called with the content in order. The memory is only valid until it returns. */
export type OnChunk = (chunk: Buffer) => Promise<void> | void;

export interface EntryContent {
  source: ByteSource;
  start: number;
  entry: Entry;
  name: string;
}

const READ_BYTES = 1024 * 1024;
/** Entries up to this size, before and after, are inflated at once: a stream costs more than the work. */
const WHOLE_BYTES = 1024 * 1024;
const DEFLATED = 8;

/** Reads one entry. Its announced size is a limit, so nothing grows beyond what was checked before. */
export async function readContent(content: EntryContent, onChunk: OnChunk): Promise<void> {
  const { entry, name } = content;
  let bytes = 0;
  let checksum = 0;
  const checked = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > entry.uncompressedSize) throw damaged(`"${name}" is longer than announced.`);
    checksum = crc32(chunk, checksum);
    return onChunk(chunk);
  };
  if (entry.compressionMethod !== DEFLATED) for await (const chunk of packed(content)) await checked(chunk);
  else if (Math.max(entry.compressedSize, entry.uncompressedSize) <= WHOLE_BYTES)
    await checked(await inflateWhole(content));
  else await inflateStream(content, checked);

  if (bytes < entry.uncompressedSize) throw damaged(`"${name}" is shorter than announced.`);
  if (checksum !== entry.crc32) throw damaged(`The checksum of "${name}" is wrong.`);
}

/** Yields the compressed bytes. Their memory is only valid until the next ones are requested. */
async function* packed({ source, start, entry, name }: EntryContent): AsyncGenerator<Buffer> {
  let done = 0;
  for await (const chunk of source.chunks(start, entry.compressedSize)) {
    done += chunk.length;
    yield chunk;
  }
  if (done < entry.compressedSize) throw damaged(`"${name}" ends too early.`);
}

async function inflateWhole(content: EntryContent): Promise<Buffer> {
  const { entry, name } = content;
  const chunks: Buffer[] = [];
  for await (const chunk of packed(content)) chunks.push(chunk);
  try {
    // One byte more than announced, to detect longer content. Zero would mean no limit.
    return inflateRawSync(Buffer.concat(chunks), { maxOutputLength: entry.uncompressedSize + 1 });
  } catch (error) {
    throw damaged(`The content of "${name}" is damaged.`, error);
  }
}

async function inflateStream(content: EntryContent, onChunk: OnChunk): Promise<void> {
  const inflate = createInflateRaw({ chunkSize: READ_BYTES });
  const source = Readable.from(copied(packed(content)), { objectMode: false });
  source.once('error', (error) => inflate.destroy(error));
  source.pipe(inflate);
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) await onChunk(chunk);
  } catch (error) {
    throw isInflateError(error) ? damaged(`The content of "${content.name}" is damaged.`, error) : error;
  } finally {
    source.destroy();
  }
}

/** The stream reads ahead, so it needs its own memory. */
async function* copied(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

function isInflateError(error: unknown): boolean {
  return errorCode(error)?.startsWith('Z_') ?? false;
}
