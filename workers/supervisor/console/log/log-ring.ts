import type { ConsoleBatch } from '../../../../shared/contract/console-batch.ts';

const LF = 0x0a;
/** Enough for the last screens of every viewer. Older lines are read from disk. */
const CAPACITY_BYTES = 512 * 1024;

/** Keeps the newest lines in memory, up to a number of bytes. */
export class LogRing {
  readonly #capacity: number;
  #batches: ConsoleBatch[] = [];
  #bytes = 0;

  constructor(capacity = CAPACITY_BYTES) {
    this.#capacity = capacity;
  }

  /** Number of the oldest line here; `undefined` if there is none. */
  get firstSeq(): number | undefined {
    return this.#batches[0]?.firstSeq;
  }

  /** All lines here, oldest first. */
  get batches(): readonly ConsoleBatch[] {
    return this.#batches;
  }

  /** Adds the batch that follows the last one. Its memory must not change afterwards. */
  push(batch: ConsoleBatch): void {
    this.#batches.push(batch);
    this.#bytes += batch.text.byteLength;
    let gone = 0;
    while (this.#bytes > this.#capacity && gone < this.#batches.length - 1)
      this.#bytes -= this.#batches[gone++]!.text.byteLength;
    if (gone > 0) this.#batches = this.#batches.slice(gone);
  }

  /** Returns lines after `after`, about `maxBytes` of them and at least one; `undefined` if the first of them is no longer here. */
  read(after: number, maxBytes: number): ConsoleBatch[] | undefined {
    const first = this.#batches[0];
    if (!first || after + 1 < first.firstSeq) return undefined;
    const found: ConsoleBatch[] = [];
    let bytes = 0;
    for (const batch of this.#batches) {
      if (batch.firstSeq + batch.count - 1 <= after) continue;
      if (bytes >= maxBytes) break;
      const wanted = linesOf(batch, { after, maxBytes: maxBytes - bytes });
      found.push(wanted);
      bytes += wanted.text.byteLength;
      if (wanted.count < batch.count && wanted.firstSeq === batch.firstSeq) break;
    }
    return found;
  }
}

/** Returns the part of a batch after line `after`, about `maxBytes` of it and at least one line. Copies nothing. */
function linesOf(batch: ConsoleBatch, { after, maxBytes }: { after: number; maxBytes: number }): ConsoleBatch {
  const { text } = batch;
  const leftOut = Math.max(0, after - batch.firstSeq + 1);
  let start = 0;
  for (let line = 0; line < leftOut; line++) start = text.indexOf(LF, start) + 1;
  let count = batch.count - leftOut;
  let end = text.byteLength;
  if (end - start > maxBytes) {
    count = 0;
    end = start;
    do {
      end = text.indexOf(LF, end) + 1;
      count++;
    } while (end - start < maxBytes);
  }
  return { ...batch, firstSeq: batch.firstSeq + leftOut, count, text: text.subarray(start, end) };
}
