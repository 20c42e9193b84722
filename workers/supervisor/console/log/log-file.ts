import { closeSync, constants, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ConsoleBatch } from '../../../../shared/contract/console-batch.ts';
import {
  bytesInFile,
  createSegment,
  formatBatch,
  mark,
  ReadMemory,
  readSegment,
  type Segment,
  textsOf,
} from './log-segment.ts';
import { NewestLines } from './newest-lines.ts';
import { countLines, keepWholeLines, openIfExists, unlessMissing, type WholeLines, wholeLines } from './whole-lines.ts';

const FILE_NAME = /^console-(\d{15})\.log$/;
const FILE_BYTES = 16 * 1024 * 1024;
const FILES = 8;
/** Read at a time for a search: about a millisecond, after which the event loop gets a turn. More than the longest line. */
const SEARCH_BYTES = 128 * 1024;
/** Time between a failed write and the next attempt. */
const RETRY_MS = 10_000;

export interface LogFileOptions {
  directory: string;
  /** Size at which a new file begins. */
  fileBytes?: number;
  /** Maximum number of files; the oldest are removed. */
  files?: number;
}

export interface LogSearch {
  /** Number of the line at which the search ends. */
  before: number;
  limit: number;
  /** Ends the search early: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * The console log on disk: numbered lines in files of bounded size. A batch is in the page cache before a viewer sees it, so after a crash of
 * this process no line that was shown gets another number. Nothing waits for the disk itself.
 */
export class LogFile {
  readonly #directory: string;
  readonly #fileBytes: number;
  readonly #files: number;
  readonly #segments: Segment[];
  #descriptor: number | undefined;
  /** Size of the newest file. */
  #size: number;
  #lastSeq: number;
  /** True if an earlier process wrote the newest file, and the next line can be appended to it. */
  #continues: boolean;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** Reused by each batch: otherwise a flood would allocate as fast as it prints. */
  #memory = Buffer.alloc(0);
  readonly #readMemory = new ReadMemory();

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

  /** Opens the log of a folder, and creates the folder if it is missing. Removes a line that a crash left unfinished. */
  static async open(options: LogFileOptions): Promise<LogFile> {
    await mkdir(options.directory, { recursive: true, mode: 0o700 });
    const segments = (await readdir(options.directory)).sort().flatMap((name) => {
      const firstSeq = FILE_NAME.exec(name)?.[1];
      return firstSeq === undefined ? [] : [createSegment(path.join(options.directory, name), Number(firstSeq))];
    });
    const newest = segments.at(-1);
    return new LogFile(options, segments, newest ? await keepWholeLines(newest.file) : { lines: 0, bytes: 0 });
  }

  /** Number of the newest line; 0 before the first. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /**
   * Writes the batch that follows the last one. Throws the error of the file system if that fails: the lines are then missing from the log,
   * and for some seconds this method returns false and writes nothing. `now` in milliseconds.
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

  /**
   * Returns lines after `after`, about `maxBytes` of them. `skipped` of the first batch counts lines that are gone. Empty at the end. One read
   * at a time: the next one reuses the memory of the texts.
   */
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
      const handle = await openIfExists(current.file);
      // Rotated away in the meantime: the list of segments has changed too.
      if (!handle) return this.read(after, maxBytes);
      try {
        const { batches } = await readSegment(handle, current, { seq, maxBytes, memory: this.#readMemory });
        const [first] = batches;
        if (first) return [{ ...first, skipped: first.firstSeq - after - 1 }, ...batches.slice(1)];
      } finally {
        await handle.close();
      }
    }
  }

  /**
   * Returns the newest lines before line `before` for which `matches` returns true, without their times. If `matches` returns true for a line,
   * it must also do so for a text of several lines that contains it.
   */
  async search(matches: (text: string) => boolean, { before, limit, signal }: LogSearch): Promise<NewestLines> {
    const found = new NewestLines(limit);
    for (const { file, firstSeq } of this.#segments.toReversed()) {
      if (found.isFull) break;
      if (firstSeq < before) found.addOlder(await searchFile(file, { matches, firstSeq, before, limit, signal }));
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
    const length = bytesInFile(batch);
    if (length > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(length);
    formatBatch(batch, this.#memory);
    mark(this.#segments.at(-1)!, batch.firstSeq, this.#size);
    for (let written = 0; written < length; )
      written += writeSync(this.#descriptor!, this.#memory, written, length - written);
    this.#size += length;
  }

  #beginFile(firstSeq: number): void {
    this.close();
    const file = path.join(this.#directory, `console-${String(firstSeq).padStart(15, '0')}.log`);
    this.#descriptor = openSync(file, 'a', 0o600);
    this.#size = 0;
    this.#segments.push(createSegment(file, firstSeq));
    for (const old of this.#segments.splice(0, this.#segments.length - this.#files)) rmSync(old.file, { force: true });
  }

  /** Removes a batch that was written in part, because it would shift the numbers of all later lines. */
  #abandonFile(): void {
    this.#continues = false;
    if (this.#descriptor === undefined) return;
    ftruncateSync(this.#descriptor, this.#size);
    this.close();
  }
}

type FileSearch = LogSearch & { matches: (text: string) => boolean; firstSeq: number };

async function searchFile(file: string, search: FileSearch): Promise<NewestLines> {
  const { matches, firstSeq, before, limit, signal } = search;
  const found = new NewestLines(limit);
  let seq = firstSeq;
  for await (const lines of wholeLines(file, SEARCH_BYTES)) {
    signal?.throwIfAborted();
    if (seq >= before) break;
    const candidates = matches(lines.toString()) ? [...textsOf(lines)].slice(0, before - seq) : [];
    found.addNewer(candidates.filter(matches));
    seq += countLines(lines);
  }
  return found;
}

/** Opens a file for appending. Returns `undefined` if it was removed. */
function reopen(file: string): number | undefined {
  try {
    return openSync(file, constants.O_WRONLY | constants.O_APPEND);
  } catch (error) {
    return unlessMissing(error);
  }
}
