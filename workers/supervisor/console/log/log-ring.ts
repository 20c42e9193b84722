import type { ConsoleBatch } from '../../../../shared/contract/console-batch.ts';
import { linesOf } from './lines-of.ts';

/** Enough for the last screens of every viewer; what is older is read from disk. */
const CAPACITY_BYTES = 512 * 1024;

/** The newest lines, in memory bounded in bytes. */
export class LogRing {
  readonly #capacity: number;
  #batches: ConsoleBatch[] = [];
  #bytes = 0;

  constructor(capacity = CAPACITY_BYTES) {
    this.#capacity = capacity;
  }

  /** Number of the oldest line here; `undefined` when there is none. */
  get firstSeq(): number | undefined {
    return this.#batches[0]?.firstSeq;
  }

  /** Everything here, oldest first. */
  get batches(): readonly ConsoleBatch[] {
    return this.#batches;
  }

  /** Takes a batch that follows the last one; its memory must stay as it is. */
  push(batch: ConsoleBatch): void {
    this.#batches.push(batch);
    this.#bytes += batch.text.byteLength;
    let gone = 0;
    while (this.#bytes > this.#capacity && gone < this.#batches.length - 1)
      this.#bytes -= this.#batches[gone++]!.text.byteLength;
    if (gone > 0) this.#batches = this.#batches.slice(gone);
  }

  /** Lines after `after`, about `maxBytes` of them and at least one; `undefined` when the first of them is not here any more. */
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
