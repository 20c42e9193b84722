import { BATCH_HEAD_BYTES, type ConsoleBatch, writeBatchHead } from '../../../../shared/contract/console-batch.ts';

/** Memory to begin with. */
const FIRST_BYTES = 4 * 1024;
/** Memory in a flood: a batch goes at 64 KiB, and what makes it so long is one read of the terminal. */
const FLOOD_BYTES = 84 * 1024;

/** A batch and the same as it crosses processes: its text is a part of that, so neither may change. */
export interface SealedBatch {
  batch: ConsoleBatch;
  encoded: Uint8Array;
}

/** Gathers lines for the next batch where they will stay: what a flood brings is copied once. */
export class OpenBatch {
  #block: Buffer | undefined;
  #capacity = FIRST_BYTES;
  #end = BATCH_HEAD_BYTES;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Bytes of text. */
  get bytes(): number {
    return this.#end - BATCH_HEAD_BYTES;
  }

  /** Takes whole lines; their memory is free again. */
  add(text: Uint8Array, count: number): void {
    this.#makeRoom(text.byteLength).set(text, this.#end);
    this.#end += text.byteLength;
    this.#count += count;
  }

  /** Ends the batch, whose first line gets the number `firstSeq`, and begins the next. `at` in milliseconds since the epoch. */
  seal(firstSeq: number, at: number): SealedBatch {
    const encoded = this.#release();
    const batch = { firstSeq, count: this.#count, at, skipped: 0, text: encoded.subarray(BATCH_HEAD_BYTES) };
    writeBatchHead(encoded, batch);
    this.#end = BATCH_HEAD_BYTES;
    this.#count = 0;
    return { batch, encoded };
  }

  #makeRoom(bytes: number): Buffer {
    const needed = this.#end + bytes;
    if (this.#block && needed <= this.#block.length) return this.#block;
    this.#capacity = Math.max(needed, Math.min(this.#capacity * 2, FLOOD_BYTES));
    const block = Buffer.allocUnsafeSlow(this.#capacity);
    this.#block?.copy(block, 0, 0, this.#end);
    this.#block = block;
    return block;
  }

  /** The block itself where it is nearly full. Else a copy, for what is kept of a batch must not be much larger than its text. */
  #release(): Buffer {
    const bytes = (this.#block ?? Buffer.alloc(BATCH_HEAD_BYTES)).subarray(0, this.#end);
    if (bytes.length < (this.#capacity * 3) / 4) return Buffer.from(bytes);
    this.#block = undefined;
    return bytes;
  }
}
