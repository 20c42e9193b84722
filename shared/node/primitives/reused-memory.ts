/**
 * Memory for work that is done again and again, one piece at a time. New memory for each piece would make V8 collect garbage after every few
 * megabytes, however small its heap is. Memory that nobody uses is collected as well.
 */
export class ReusedMemory {
  #memory: WeakRef<ArrayBufferLike> | undefined;

  /** Returns this many bytes of any content. The next call may return the same ones. */
  take(bytes: number): Buffer {
    const known = this.#memory?.deref();
    if (known && known.byteLength >= bytes) return Buffer.from(known, 0, bytes);
    const memory = Buffer.allocUnsafeSlow(bytes);
    this.#memory = new WeakRef(memory.buffer);
    return memory;
  }
}
