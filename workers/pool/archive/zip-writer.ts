import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants } from 'node:zlib';
import { type EntryData, ZipArchive } from 'archiver';
import { InFlight } from './in-flight.ts';
import { GATHERED_BYTES, speedUp } from './zip-engine.ts';

/** Content in memory at a time: reads ahead far enough to keep disk and compressors busy. */
const IN_FLIGHT_BYTES = 32 * 1024 * 1024;
/** What an entry counts beside its content, so that a million empty files do not pile up either. */
const ENTRY_BYTES = 64 * 1024;

export interface EntryHead {
  /** Relative path with `/`. */
  name: string;
  /** Permission bits. */
  mode: number;
  modified: Date;
}

/** A ZIP that is being written, entry by entry. A call resolves when the next may come; it rejects when writing has failed. */
export interface ZipWriter {
  directory(head: EntryHead): Promise<void>;
  /** `content` must be memory of its own, and is the writer's from now on. */
  file(head: EntryHead, content: Buffer, deflate: boolean): Promise<void>;
  /** For what does not fit into memory. Resolves when all chunks have been taken. */
  stream(head: EntryHead, chunks: AsyncIterable<Buffer>, deflate: boolean): Promise<void>;
  link(head: EntryHead, target: string): Promise<void>;
  /** Writes the archive's directory, and ends what it is written to. */
  finish(): Promise<void>;
  /** Gives up and destroys what it is written to. */
  abort(): Promise<void>;
}

/** What an archive is written to. */
export interface ZipSink extends Writable {
  /** Hears of each chunk whose memory is free again; set by whoever writes. */
  onWritten: (chunk: Buffer) => void;
}

/** Starts an archive. */
export function createZip(sink: ZipSink): ZipWriter {
  const inFlight = new InFlight(IN_FLIGHT_BYTES);
  /** Stored content that is on its way through archiver, by its memory: deflated content is free once its entry is done. */
  const stored = new Map<ArrayBufferLike, number>();
  /** One for each entry in archiver's queue, which keeps their order. */
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
  // The pipeline reports the first error; what archiver still says while it is torn down has no other listener.
  zip.on('error', () => undefined);
  const written = pipeline(zip, sink);
  written.catch((error: Error) => inFlight.fail(error));

  /** Waits for room. `later` of the bytes stay in flight when archiver has done with the entry. */
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
      // archiver pipes it on without looking at its errors.
      source.once('error', (error) => zip.destroy(error));
      zip.append(source, { ...entryData(head), store: !deflate });
      await Promise.race([taken.promise, written]);
    },
    async link(head, linkTarget) {
      await enter(ENTRY_BYTES);
      zip.symlink(unambiguous(head.name), linkTarget, head.mode);
    },
    async finish() {
      await Promise.all([zip.finalize(), written]);
    },
    async abort() {
      zip.destroy();
      // Whoever aborts has the reason already; this is only its echo.
      await written.catch(() => undefined);
    },
  };
}

function entryData({ name, mode, modified }: EntryHead): EntryData {
  return { name: unambiguous(name), mode, date: modified };
}

/** archiver takes `word:` at the beginning for a drive and drops it; a file may well be called that. */
function unambiguous(name: string): string {
  return /^\w+:/.test(name) ? `./${name}` : name;
}
