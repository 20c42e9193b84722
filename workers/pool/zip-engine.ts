import type { Duplex, Writable } from 'node:stream';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { MIN_PARALLEL_BYTES, ParallelDeflate } from './parallel-deflate.ts';

/** Compression methods (APPNOTE.TXT 4.4.5). */
const STORED = 0;
const DEFLATED = 8;

/** What we need of compress-commons, the ZIP engine inside archiver. */
interface ZipEngine extends Writable {
  _appendBuffer(entry: EngineEntry, content: Buffer, done: EntryDone): void;
  _smartStream(entry: EngineEntry, done: EntryDone): unknown;
  _writeLocalFileHeader(entry: EngineEntry): void;
  _afterAppend(entry: EngineEntry): void;
}
interface EngineEntry {
  getMethod(): number;
  setMethod(method: number): void;
  setCrc(crc: number): void;
  setSize(bytes: number): void;
  setCompressedSize(bytes: number): void;
  getGeneralPurposeBit(): { useDataDescriptor(used: boolean): void };
}
type EntryDone = (error: Error | null, entry: EngineEntry) => void;

/**
 * archiver deflates on one thread and computes CRC-32 in JavaScript, a quarter of all CPU that a backup costs, and has settings for
 * neither. So the two methods of its engine through which content runs are replaced. An engine of another shape, in some later version,
 * is left as it is: slower, not wrong.
 */
export function speedUp(zip: Duplex): void {
  const engine = engineOf(zip);
  if (!engine) return;
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
    // All is known, so it stands before the content, where readers that only stream find it.
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

function deflatedIfSmaller(content: Buffer): Buffer {
  const deflated = deflateRawSync(content, { level: constants.Z_BEST_SPEED });
  return deflated.length < content.length ? deflated : content;
}

function engineOf(zip: object): ZipEngine | undefined {
  const engine = (zip as { _module?: { engine?: Partial<ZipEngine> } })._module?.engine;
  const methods = [engine?._appendBuffer, engine?._smartStream, engine?._writeLocalFileHeader, engine?._afterAppend];
  return methods.every((method) => typeof method === 'function') ? (engine as ZipEngine) : undefined;
}
