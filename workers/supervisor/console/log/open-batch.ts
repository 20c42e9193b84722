import { BATCH_HEAD_BYTES, type ConsoleBatch, writeBatchHead } from '../../../../shared/contract/console-batch.ts';

/** Initial capacity. */
const FIRST_BYTES = 4 * 1024;
/** Capacity in a flood: a batch is sent at 64 KiB, and one read of the terminal may exceed that. */
const FLOOD_BYTES = 84 * 1024;

/** A batch and its encoded form. Its text is a part of `encoded`, so neither may change. */
export interface SealedBatch {
  batch: ConsoleBatch;
  encoded: Uint8Array;
}

/** Gathers the lines of the next batch in the buffer that will be sent, so a flood is copied once. */
export class OpenBatch {
  #block: Buffer | undefined;
  #capacity = FIRST_BYTES;
  #end = BATCH_HEAD_BYTES;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Size of the text. */
  get bytes(): number {
    return this.#end - BATCH_HEAD_BYTES;
  }

  /** Copies whole lines. */
  add(text: Uint8Array, count: number): void {
    this.#makeRoom(text.byteLength).set(text, this.#end);
    this.#end += text.byteLength;
    this.#count += count;
  }

  /** Ends the batch and begins the next. Its first line gets the number `firstSeq`. `at` in milliseconds since the epoch. */
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

  /** Returns the block itself if it is nearly full, otherwise a copy, because the ring keeps the memory of each batch. */
  #release(): Buffer {
    const bytes = (this.#block ?? Buffer.alloc(BATCH_HEAD_BYTES)).subarray(0, this.#end);
    if (bytes.length < (this.#capacity * 3) / 4) return Buffer.from(bytes);
    this.#block = undefined;
    return bytes;
  }
}
