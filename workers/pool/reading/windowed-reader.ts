import { readSync } from 'node:fs';
import { RandomAccessReader } from 'yauzl';

/** One read of this size serves hundreds of small records, which yauzl requests one by one. */
const WINDOW_BYTES = 256 * 1024;

/** Reads an archive's records for yauzl. Synchronous, since a pool thread has nothing else to do. */
export class WindowedReader extends RandomAccessReader {
  readonly #descriptor: number;
  readonly #window = Buffer.allocUnsafe(WINDOW_BYTES);
  #start = 0;
  #length = 0;

  constructor(descriptor: number) {
    super();
    this.#descriptor = descriptor;
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    let failure: Error | null = null;
    try {
      this.#copy(target.subarray(offset, offset + length), position);
    } catch (error) {
      failure = error as Error;
    }
    // Outside of the try: errors of the callback are not ours.
    done(failure);
  }

  #copy(target: Buffer, position: number): void {
    for (let copied = 0; copied < target.length; ) {
      const at = position + copied;
      if (at < this.#start || at >= this.#start + this.#length) this.#load(at);
      copied += this.#window.copy(target, copied, at - this.#start, this.#length);
    }
  }

  #load(position: number): void {
    this.#start = position;
    this.#length = readSync(this.#descriptor, this.#window, 0, WINDOW_BYTES, position);
    if (this.#length === 0) throw new Error('unexpected end of file');
  }
}
