import { OpenBatch, type SealedBatch } from './open-batch.ts';

/** Lines that arrive within this time of each other share a batch. */
const BATCH_MS = 16;
/** A batch of this size is sent at once. */
const BATCH_BYTES = 64 * 1024;

/** Numbers lines and gathers them into batches. The first line after a quiet time does not wait. */
export class Batcher {
  readonly #onBatch: (sealed: SealedBatch) => void;
  readonly #open = new OpenBatch();
  #lastSeq: number;
  #lastBatchAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** `lastSeq` is the number of the last line before the first batch. */
  constructor(lastSeq: number, onBatch: (sealed: SealedBatch) => void) {
    this.#lastSeq = lastSeq;
    this.#onBatch = onBatch;
  }

  /** Takes whole lines and copies them. */
  add(text: Uint8Array, count: number): void {
    this.#open.add(text, count);
    const quietFor = performance.now() - this.#lastBatchAt;
    if (quietFor >= BATCH_MS || this.#open.bytes >= BATCH_BYTES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), BATCH_MS - quietFor);
  }

  /** Ends the open batch if it holds lines. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#open.count === 0) return;
    const sealed = this.#open.seal(this.#lastSeq + 1, Date.now());
    this.#lastSeq += sealed.batch.count;
    this.#lastBatchAt = performance.now();
    this.#onBatch(sealed);
  }
}
