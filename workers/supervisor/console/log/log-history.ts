import stripAnsi from 'strip-ansi';
import type { ConsoleBatch } from '../../../../shared/contract/console-batch.ts';
import { errorCode } from '../../../../shared/errors/error-code.ts';
import type { LogFile } from './log-file.ts';
import { LogRing } from './log-ring.ts';

/** Read at a time, in bytes. */
const READ_BYTES = 1024 * 1024;

/** All lines that are kept: the newest in memory, the rest in the log file. */
export class LogHistory {
  readonly #file: LogFile;
  readonly #ring = new LogRing();
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

  /** Returns lines after line `after`, about `maxBytes` of them. Empty at the end. */
  async read(after: number, maxBytes: number): Promise<ConsoleBatch[]> {
    const recent = this.#ring.read(after, maxBytes);
    if (recent) return recent;
    const older = await this.#file.read(after, maxBytes);
    // Lines that could not be written may be in the ring: the file then has nothing older than the ring's first line.
    const oldest = older[0]?.firstSeq ?? Number.POSITIVE_INFINITY;
    if (this.#ring.firstSeq === undefined || oldest <= this.#ring.firstSeq) return older;
    return afterGap(after, this.#ring.read(this.#ring.firstSeq - 1, maxBytes) ?? []);
  }

  /** Returns the last `count` lines. */
  async tail(count: number): Promise<ConsoleBatch[]> {
    const batches: ConsoleBatch[] = [];
    for (let after = Math.max(0, this.#lastSeq - count); after < this.#lastSeq; ) {
      const more = await this.read(after, READ_BYTES);
      const last = more.at(-1);
      if (!last) break;
      batches.push(...more);
      after = last.firstSeq + last.count - 1;
    }
    return batches;
  }

  /** Returns the last `count` lines as plain text, oldest first. */
  async lastLines(count: number): Promise<string[]> {
    const batches = await this.tail(count);
    return batches.flatMap(({ text }) => plainLines(text)).slice(-count);
  }

  /** Returns the newest `limit` lines that contain a text in any case, as plain text, oldest first. */
  async search(text: string, limit: number): Promise<string[]> {
    const wanted = text.toLowerCase();
    const matches = (line: string) => line.toLowerCase().includes(wanted);
    const before = this.#ring.firstSeq ?? Number.POSITIVE_INFINITY;
    // The ring first: lines that could not be written are only there.
    const recent = this.#ring.batches.flatMap((batch) => plainLines(batch.text).filter(matches)).slice(-limit);
    if (recent.length === limit) return recent;
    const older = await this.#file.search((line) => matches(stripAnsi(line)), { before, limit: limit - recent.length });
    return [...older.map((line) => stripAnsi(line)), ...recent];
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

/** Lines that were never written and have left the ring are skipped. */
function afterGap(after: number, [first, ...rest]: ConsoleBatch[]): ConsoleBatch[] {
  return first ? [{ ...first, skipped: Math.max(0, first.firstSeq - after - 1) }, ...rest] : [];
}

function plainLines(text: Uint8Array): string[] {
  const lines = stripAnsi(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString()).split('\r\n');
  return lines.slice(0, -1);
}
