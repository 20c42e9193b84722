import { setImmediate as yieldTurn } from 'node:timers/promises';
import stripAnsi from 'strip-ansi';
import type { ConsoleBatch } from '../../../../shared/contract/console-batch.ts';
import { errorCode } from '../../../../shared/errors/error-code.ts';
import { LimitedTurns } from '../../../../shared/node/primitives/limited-turns.ts';
import { createMutex } from '../../../../shared/node/primitives/mutex.ts';
import type { LogFile } from './log-file.ts';
import { LogRing } from './log-ring.ts';
import { NewestLines, newestLines } from './newest-lines.ts';

/** Read at a time. */
const READ_BYTES = 256 * 1024;
const MOST_TAIL_BYTES = 1024 * 1024;
/** Searched in memory before the event loop gets a turn. */
const SEARCH_BYTES = 128 * 1024;

/** All lines that are kept: the newest in memory, the rest in the log file. */
export class LogHistory {
  readonly #file: LogFile;
  readonly #ring = new LogRing();
  readonly #searches = new LimitedTurns({ mostWaiting: 7, what: 'searches of this log' });
  readonly #fileReads = createMutex();
  #lastSeq: number;
  #writeFailed = false;

  constructor(file: LogFile) {
    this.#file = file;
    this.#lastSeq = file.lastSeq;
  }

  /** Number of the newest line; 0 before the first. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /**
   * Adds a batch that follows the last one. If the file cannot be written, the lines are kept in memory only, and the first failure
   * returns its error code.
   */
  append(batch: ConsoleBatch): string | undefined {
    const failure = this.#write(batch);
    this.#ring.push(batch);
    this.#lastSeq = batch.firstSeq + batch.count - 1;
    return failure;
  }

  /**
   * Passes on lines after line `after`, about `maxBytes` of them; none at the end. Their memory is reused after `take` returns. Resolves to what
   * it returns.
   */
  async read<T>(after: number, maxBytes: number, take: (batches: ConsoleBatch[]) => T): Promise<T> {
    const recent = this.#ring.read(after, maxBytes);
    if (recent) return take(recent);
    // One at a time, so that any number of viewers who read the whole log needs the memory of one.
    return this.#fileReads.run(async () =>
      take(this.#withUnwritten(await this.#file.read(after, maxBytes), after, maxBytes)),
    );
  }

  /** Lines that could not be written may be in the ring: the file then has nothing older than the ring's first line. */
  #withUnwritten(older: ConsoleBatch[], after: number, maxBytes: number): ConsoleBatch[] {
    const oldest = older[0]?.firstSeq ?? Number.POSITIVE_INFINITY;
    if (this.#ring.firstSeq === undefined || oldest <= this.#ring.firstSeq) return older;
    return afterGap(after, this.#ring.read(this.#ring.firstSeq - 1, maxBytes) ?? []);
  }

  /** Returns the last `count` lines; fewer if these are too much to send at once. */
  async tail(count: number): Promise<ConsoleBatch[]> {
    const batches: ConsoleBatch[] = [];
    let bytes = 0;
    for (let after = Math.max(0, this.#lastSeq - count); after < this.#lastSeq; ) {
      const more = await this.read(after, READ_BYTES, copyOf);
      const last = more.at(-1);
      if (!last) break;
      batches.push(...more);
      bytes += more.reduce((sum, { text }) => sum + text.byteLength, 0);
      while (bytes > MOST_TAIL_BYTES && batches.length > 1) bytes -= batches.shift()!.text.byteLength;
      after = last.firstSeq + last.count - 1;
    }
    return batches;
  }

  /** Returns the last `count` lines as plain text, oldest first, as far as `newestLines` keeps them. */
  async lastLines(count: number): Promise<string[]> {
    const batches = await this.tail(count);
    return newestLines(
      batches.flatMap(({ text }) => plainLines(text)),
      count,
    );
  }

  /**
   * Returns the newest `limit` lines that contain a text in any case, as plain text, oldest first, as far as `newestLines` keeps them. Throws
   * `rate_limited` if too many searches wait for this one's turn.
   */
  search(text: string, { limit, signal }: { limit: number; signal?: AbortSignal | undefined }): Promise<string[]> {
    return this.#searches.run(() => this.#search(text, { limit, signal }), signal);
  }

  async #search(
    text: string,
    { limit, signal }: { limit: number; signal?: AbortSignal | undefined },
  ): Promise<string[]> {
    const wanted = text.toLowerCase();
    const matches = (lines: string) => plain(lines).toLowerCase().includes(wanted);
    const before = this.#ring.firstSeq ?? Number.POSITIVE_INFINITY;
    // The ring first: lines that could not be written are only there.
    const found = await this.#searchRing(matches, { limit, signal });
    if (!found.isFull) found.addOlder(await this.#file.search(matches, { before, limit, signal }));
    return found.lines.map(plain);
  }

  async #searchRing(
    matches: (text: string) => boolean,
    { limit, signal }: { limit: number; signal?: AbortSignal | undefined },
  ): Promise<NewestLines> {
    const found = new NewestLines(limit);
    let bytes = 0;
    for (const batch of [...this.#ring.batches]) {
      found.addNewer(plainLines(batch.text).filter(matches));
      bytes += batch.text.byteLength;
      if (bytes < SEARCH_BYTES) continue;
      bytes = 0;
      await yieldTurn();
      signal?.throwIfAborted();
    }
    return found;
  }

  close(): void {
    this.#file.close();
  }

  #write(batch: ConsoleBatch): string | undefined {
    try {
      if (this.#file.append(batch, batch.at)) this.#writeFailed = false;
      return undefined;
    } catch (error) {
      const isFirst = !this.#writeFailed;
      this.#writeFailed = true;
      return isFirst ? (errorCode(error) ?? 'unknown reason') : undefined;
    }
  }
}

function copyOf(batches: readonly ConsoleBatch[]): ConsoleBatch[] {
  return batches.map((batch) => ({ ...batch, text: Buffer.from(batch.text) }));
}

/** Lines that were never written and have left the ring are skipped. */
function afterGap(after: number, [first, ...rest]: ConsoleBatch[]): ConsoleBatch[] {
  return first ? [{ ...first, skipped: Math.max(0, first.firstSeq - after - 1) }, ...rest] : [];
}

function plainLines(text: Uint8Array): string[] {
  const lines = plain(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString()).split('\r\n');
  return lines.slice(0, -1);
}

/** Returns the text without colours. */
function plain(text: string): string {
  return text.includes('\x1b') ? stripAnsi(text) : text;
}
