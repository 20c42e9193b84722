import type { Duplex, Writable } from 'node:stream';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { Owner } from '../../../shared/node/files/owner.ts';
import { ownerField } from './owner-field.ts';
import { MIN_PARALLEL_BYTES, ParallelDeflate } from './parallel-deflate.ts';

/** Compression methods (APPNOTE.TXT 4.4.5). */
const STORED = 0;
const DEFLATED = 8;

/** Smaller writes are merged into one; larger ones are passed on without a copy. */
export const GATHERED_BYTES = 16 * 1024;
const BATCH_BYTES = 64 * 1024;

/** The part of compress-commons, the ZIP engine inside archiver, that is used here. */
interface ZipEngine extends Writable {
  offset: number;
  _appendBuffer(entry: EngineEntry, content: Buffer, done: EntryDone): void;
  _smartStream(entry: EngineEntry, done: EntryDone): unknown;
  _writeLocalFileHeader(entry: EngineEntry): void;
  _afterAppend(entry: EngineEntry): void;
  _normalizeEntry(entry: EngineEntry): void;
  entry(source: unknown, data: { owner?: Owner }, done: EntryDone): unknown;
}
interface EngineEntry {
  getMethod(): number;
  setMethod(method: number): void;
  setCrc(crc: number): void;
  setSize(bytes: number): void;
  setCompressedSize(bytes: number): void;
  getGeneralPurposeBit(): { useDataDescriptor(used: boolean): void };
  setExtra(field: Buffer): void;
}
type EntryDone = (error: Error | null, entry: EngineEntry) => void;

/**
 * Replaces the two methods of archiver's engine that content passes through. archiver deflates on one thread and computes CRC-32 in
 * JavaScript, a quarter of a backup's CPU time, and cannot be configured otherwise. If a later version of the engine looks different, it is
 * left as it is: slower, but correct.
 */
export function speedUp(zip: Duplex): void {
  const engine = engineOf(zip);
  if (!engine) return;
  gatherSmallWrites(engine);
  addOwners(engine);
  const appendBuffer = engine._appendBuffer.bind(engine);
  const smartStream = engine._smartStream.bind(engine);

  engine._appendBuffer = (entry, content, done) => {
    if (entry.getMethod() === DEFLATED && content.length >= MIN_PARALLEL_BYTES) {
      appendBuffer(entry, content, done);
      return;
    }
    const written = entry.getMethod() === DEFLATED ? deflatedIfSmaller(content) : content;
    entry.setMethod(written === content ? STORED : DEFLATED);
    entry.setCrc(crc32(content));
    entry.setSize(content.length);
    entry.setCompressedSize(written.length);
    // Sizes and CRC are known, so they go before the content, where streaming readers find them.
    entry.getGeneralPurposeBit().useDataDescriptor(false);
    engine._writeLocalFileHeader(entry);
    if (written.length > 0) engine.write(written);
    engine._afterAppend(entry);
    done(null, entry);
  };

  engine._smartStream = (entry, done) => {
    if (entry.getMethod() !== DEFLATED) return smartStream(entry, done);
    const deflate = new ParallelDeflate();
    deflate.once('end', () => {
      entry.setCrc(deflate.crc32);
      entry.setSize(deflate.bytesIn);
      entry.setCompressedSize(deflate.bytesOut);
      engine._afterAppend(entry);
      done(null, entry);
    });
    deflate.once('error', (error) => zip.destroy(error));
    deflate.pipe(engine, { end: false });
    return deflate;
  };
}

/** Gives each entry whose data has an `owner` its extra field, which archiver has no option for. */
function addOwners(engine: ZipEngine): void {
  const append = engine.entry.bind(engine);
  const normalize = engine._normalizeEntry.bind(engine);
  let owner: Owner | undefined;
  engine.entry = (source, data, done) => {
    owner = data.owner;
    return append(source, data, done);
  };
  // Called by `entry`, which does not pass the data on.
  engine._normalizeEntry = (entry) => {
    normalize(entry);
    if (!owner) return;
    const field = ownerField(owner);
    const setExtra = entry.setExtra.bind(entry);
    setExtra(field);
    // The field of ZIP64, with sizes and offset above 4 GiB, would replace it.
    entry.setExtra = (other) => setExtra(Buffer.concat([other, field]));
  };
}

/** Each header comes in twenty pieces, and again at the end: fifty thousand files would put a million chunks into the stream. */
function gatherSmallWrites(engine: ZipEngine): void {
  const write = engine.write.bind(engine) as (chunk: Buffer) => boolean;
  const end = engine.end.bind(engine);
  let gathered: Buffer[] = [];
  let size = 0;
  const flush = (): boolean => {
    const bytes = Buffer.concat(gathered, size);
    gathered = [];
    size = 0;
    // `write` counts these bytes again; they were counted when they were merged, since headers contain offsets.
    engine.offset -= bytes.length;
    return bytes.length === 0 || write(bytes);
  };
  engine.write = (chunk: Buffer | string) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (bytes.length >= GATHERED_BYTES) {
      flush();
      return write(bytes);
    }
    gathered.push(bytes);
    size += bytes.length;
    engine.offset += bytes.length;
    return size < BATCH_BYTES || flush();
  };
  engine.end = () => {
    flush();
    return end();
  };
}

function deflatedIfSmaller(content: Buffer): Buffer {
  const deflated = deflateRawSync(content, { level: constants.Z_BEST_SPEED });
  return deflated.length < content.length ? deflated : content;
}

function engineOf(zip: object): ZipEngine | undefined {
  const engine = (zip as { _module?: { engine?: Partial<ZipEngine> } })._module?.engine;
  const methods = [
    ...[engine?._appendBuffer, engine?._smartStream, engine?._writeLocalFileHeader, engine?._afterAppend],
    ...[engine?._normalizeEntry, engine?.entry],
  ];
  return methods.every((method) => typeof method === 'function') ? (engine as ZipEngine) : undefined;
}
