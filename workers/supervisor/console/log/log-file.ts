import { closeSync, constants, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { mkdir, open, readdir, truncate } from 'node:fs/promises';
import path from 'node:path';
import type { ConsoleBatch } from '../../../../shared/contract/console-batch.ts';
import { hasErrorCode } from '../../../../shared/errors/error-code.ts';
import { countLines, formatBatch, mark, readAt, readSegment, type Segment, segment, textsOf } from './log-segment.ts';

const FILE_NAME = /^console-(\d{15})\.log$/;
const FILE_BYTES = 16 * 1024 * 1024;
const FILES = 8;
/** Read at a time to count lines. */
const SCAN_BYTES = 1024 * 1024;
/** Read at a time to look at each: a few milliseconds, between which the console goes on. */
const SEARCH_BYTES = 256 * 1024;
/** After a failed write: how long until the next is tried. */
const RETRY_MS = 10_000;
const LF = 0x0a;

export interface LogFileOptions {
  directory: string;
  /** Size at which the next file is begun. */
  fileBytes?: number;
  /** How many are kept. */
  files?: number;
}

export interface LogSearch {
  /** Number of the first line that is not looked at. */
  before: number;
  limit: number;
}

/**
 * The console log on disk: numbered lines in files of bounded size, the oldest of which go. A batch is in the page cache before anybody
 * sees it, so what a viewer was shown is never numbered anew after a crash of ours; nothing waits for the disk itself.
 */
export class LogFile {
  readonly #directory: string;
  readonly #fileBytes: number;
  readonly #files: number;
  readonly #segments: Segment[];
  #descriptor: number | undefined;
  /** Of the newest file. */
  #size: number;
  #lastSeq: number;
  /** Whether the newest file, which an earlier process has written, ends with line `lastSeq`: the next one goes behind it. */
  #continues: boolean;
  #failedAt = Number.NEGATIVE_INFINITY;

  private constructor(
    { directory, fileBytes = FILE_BYTES, files = FILES }: LogFileOptions,
    segments: Segment[],
    { lines, bytes }: WholeLines,
  ) {
    this.#directory = directory;
    this.#fileBytes = fileBytes;
    this.#files = files;
    const newest = segments.at(-1);
    this.#segments = segments;
    this.#lastSeq = newest ? newest.firstSeq - 1 + lines : 0;
    this.#size = bytes;
    this.#continues = newest !== undefined;
  }

  /** Opens the log of a folder, which is made if it is missing. A line that a crash has left unfinished is removed. */
  static async open(options: LogFileOptions): Promise<LogFile> {
    await mkdir(options.directory, { recursive: true, mode: 0o700 });
    const segments = (await readdir(options.directory)).sort().flatMap((name) => {
      const firstSeq = FILE_NAME.exec(name)?.[1];
      return firstSeq === undefined ? [] : [segment(path.join(options.directory, name), Number(firstSeq))];
    });
    const newest = segments.at(-1);
    return new LogFile(options, segments, newest ? await keepWholeLines(newest.file) : { lines: 0, bytes: 0 });
  }

  /** Number of the newest line; 0 before the first. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /**
   * Writes a batch whose numbers follow the last one's. Throws what the file system says when that cannot be; the lines then are a gap
   * in the log, and for some seconds nothing is tried. Returns false during that time. `now` in milliseconds.
   */
  append(batch: ConsoleBatch, now: number): boolean {
    if (batch.firstSeq !== this.#lastSeq + 1) this.#continues = false;
    this.#lastSeq = batch.firstSeq + batch.count - 1;
    if (now - this.#failedAt < RETRY_MS) return false;
    try {
      this.#write(batch);
      return true;
    } catch (error) {
      this.#failedAt = now;
      this.#abandonFile();
      throw error;
    }
  }

  /** Lines after `after`, about `maxBytes` of them; the first batch says how many before it are gone. Empty at the end. */
  async read(after: number, maxBytes: number): Promise<ConsoleBatch[]> {
    let seq = after + 1;
    for (
      let index = Math.max(
        0,
        this.#segments.findLastIndex(({ firstSeq }) => firstSeq <= seq),
      );
      ;
      index++
    ) {
      const current = this.#segments[index];
      if (!current) return [];
      seq = Math.max(seq, current.firstSeq);
      const handle = await open(current.file).catch(unlessMissing);
      // Rotated away while we looked for it: the list has changed, too.
      if (!handle) return this.read(after, maxBytes);
      try {
        const { batches } = await readSegment(handle, current, { seq, maxBytes });
        const [first] = batches;
        if (first) return [{ ...first, skipped: first.firstSeq - after - 1 }, ...batches.slice(1)];
      } finally {
        await handle.close();
      }
    }
  }

  /** The newest `limit` lines before line `before` for which `matches` says yes, oldest first, without their times. */
  async search(matches: (text: string) => boolean, { before, limit }: LogSearch): Promise<string[]> {
    let found: string[] = [];
    for (const { file, firstSeq } of this.#segments.toReversed()) {
      if (found.length === limit) break;
      if (firstSeq >= before) continue;
      const inFile: string[] = [];
      let seq = firstSeq;
      for await (const lines of wholeLines(file, SEARCH_BYTES)) {
        for (const text of textsOf(lines)) if (seq++ < before && matches(text)) inFile.push(text);
        inFile.splice(0, inFile.length - limit);
      }
      found = [...inFile, ...found].slice(-limit);
    }
    return found;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #write(batch: ConsoleBatch): void {
    if (this.#continues) this.#descriptor = reopen(this.#segments.at(-1)!.file);
    if (this.#descriptor === undefined || this.#size >= this.#fileBytes) this.#beginFile(batch.firstSeq);
    this.#continues = false;
    const bytes = formatBatch(batch);
    mark(this.#segments.at(-1)!, batch.firstSeq, this.#size);
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#descriptor!, bytes, written);
    this.#size += bytes.length;
  }

  #beginFile(firstSeq: number): void {
    this.close();
    const file = path.join(this.#directory, `console-${String(firstSeq).padStart(15, '0')}.log`);
    this.#descriptor = openSync(file, 'a', 0o600);
    this.#size = 0;
    this.#segments.push(segment(file, firstSeq));
    for (const old of this.#segments.splice(0, this.#segments.length - this.#files)) rmSync(old.file, { force: true });
  }

  /** A batch that is there in part would shift the numbers of all lines behind it. */
  #abandonFile(): void {
    this.#continues = false;
    if (this.#descriptor === undefined) return;
    ftruncateSync(this.#descriptor, this.#size);
    this.close();
  }
}

/** For appending; `undefined` where somebody has removed it. */
function reopen(file: string): number | undefined {
  try {
    return openSync(file, constants.O_WRONLY | constants.O_APPEND);
  } catch (error) {
    return unlessMissing(error);
  }
}

interface WholeLines {
  lines: number;
  bytes: number;
}

/** Cuts off what is behind a file's last whole line, and says what is left. */
async function keepWholeLines(file: string): Promise<WholeLines> {
  let count = 0;
  let end = 0;
  for await (const lines of wholeLines(file, SCAN_BYTES)) {
    count += countLines(lines);
    end += lines.length;
  }
  await truncate(file, end);
  return { lines: count, bytes: end };
}

/** A file in pieces of whole lines. One that has been rotated away is empty. */
async function* wholeLines(file: string, pieceBytes: number): AsyncGenerator<Buffer> {
  const handle = await open(file).catch(unlessMissing);
  if (!handle) return;
  try {
    for (let offset = 0; ; ) {
      const bytes = await readAt(handle, offset, pieceBytes);
      const end = bytes.lastIndexOf(LF) + 1;
      if (end === 0) return;
      yield bytes.subarray(0, end);
      offset += end;
    }
  } finally {
    await handle.close();
  }
}

function unlessMissing(error: unknown): undefined {
  if (hasErrorCode(error, 'ENOENT')) return undefined;
  throw error;
}
