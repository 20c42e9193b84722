import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants } from 'node:zlib';
import { type EntryData, ZipArchive } from 'archiver';
import type { Owner } from '../../../shared/node/files/owner.ts';
import { InFlight } from './in-flight.ts';
import { GATHERED_BYTES, speedUp } from './zip-engine.ts';

/** Content in memory at a time: enough to keep disk and compressors busy. Bytes. */
const IN_FLIGHT_BYTES = 32 * 1024 * 1024;
/** Added for each entry, so that a million empty files do not pile up either. */
const ENTRY_BYTES = 64 * 1024;

export interface EntryHead {
  name: string;
  mode: number;
  modified: Date;
  owner?: Owner;
}

/** A ZIP that is written entry by entry. A call resolves when the next entry may come, and rejects if writing has failed. */
export interface ZipWriter {
  directory(head: EntryHead): Promise<void>;
  /** `content` must have its own memory, which belongs to the writer from then on. */
  file(head: EntryHead, content: Buffer, deflate: boolean): Promise<void>;
  /** For content that does not fit into memory. Resolves when all chunks are taken. */
  stream(head: EntryHead, chunks: AsyncIterable<Buffer>, deflate: boolean): Promise<void>;
  link(head: EntryHead, target: string): Promise<void>;
  /** Writes the central directory, and ends the sink. */
  finish(): Promise<void>;
  abort(): Promise<void>;
}

export interface ZipSink extends Writable {
  /** Called with each chunk whose memory is free again. Set by `createZip`. */
  onWritten: (chunk: Buffer) => void;
}

export function createZip(sink: ZipSink): ZipWriter {
  const inFlight = new InFlight(IN_FLIGHT_BYTES);
  /** Sizes of stored contents inside archiver, by their memory. (Deflated content is free once its entry is done.) */
  const stored = new Map<ArrayBufferLike, number>();
  /** A callback for each entry in archiver's queue, which keeps their order. */
  const whenDone: (() => void)[] = [];

  sink.onWritten = ({ buffer }) => {
    const bytes = stored.get(buffer);
    if (bytes === undefined) return;
    stored.delete(buffer);
    inFlight.leave(bytes);
  };
  const zip = new ZipArchive({ zlib: { level: constants.Z_BEST_SPEED } });
  speedUp(zip);
  zip.on('entry', () => whenDone.shift()?.());
  // The pipeline reports the first error. Without this listener, later errors during the teardown would be unhandled.
  zip.on('error', () => undefined);
  const written = pipeline(zip, sink);
  written.catch((error: Error) => inFlight.fail(error));

  /** Waits until the entry fits. `later` bytes stay in flight when archiver is done with it. */
  async function enter(bytes: number, later = 0): Promise<void> {
    await inFlight.enter(bytes);
    whenDone.push(() => inFlight.leave(bytes - later));
  }

  return {
    async directory(head) {
      await enter(ENTRY_BYTES);
      zip.append('', { ...entryData(head), name: `${unambiguous(head.name)}/`, type: 'directory' });
    },
    async file(head, content, deflate) {
      const unchanged = deflate || content.length < GATHERED_BYTES ? 0 : content.length;
      await enter(content.length + ENTRY_BYTES, unchanged);
      if (unchanged > 0) stored.set(content.buffer, unchanged);
      zip.append(content, { ...entryData(head), store: !deflate });
    },
    async stream(head, chunks, deflate) {
      await inFlight.enter(ENTRY_BYTES);
      const taken = Promise.withResolvers<void>();
      whenDone.push(() => {
        inFlight.leave(ENTRY_BYTES);
        taken.resolve();
      });
      const source = Readable.from(chunks, { objectMode: false });
      // archiver pipes it on without handling its errors.
      source.once('error', (error) => zip.destroy(error));
      zip.append(source, { ...entryData(head), store: !deflate });
      await Promise.race([taken.promise, written]);
    },
    async link(head, linkTarget) {
      await enter(ENTRY_BYTES);
      // Not symlink(), which turns backslashes around and has no owner.
      zip.append('', { ...entryData(head), type: 'symlink', linkname: linkTarget } as EntryData);
    },
    async finish() {
      await Promise.all([zip.finalize(), written]);
    },
    async abort() {
      zip.destroy();
      // The caller knows why; this error only follows from the abort.
      await written.catch(() => undefined);
    },
  };
}

function entryData({ name, mode, modified, owner }: EntryHead): EntryData & { owner?: Owner } {
  return { name: unambiguous(name), mode, date: modified, ...(owner && { owner }) };
}

/** archiver mistakes `word:` at the beginning of a name for a drive, and drops it. */
function unambiguous(name: string): string {
  return /^\w+:/.test(name) ? `./${name}` : name;
}
