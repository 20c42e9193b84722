/** Reads the fields of a packet in order. Throws RangeError at the end of the packet. */
export class PacketReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, start = 0) {
    this.#bytes = bytes;
    this.#at = start;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#advance(1));
  }

  short(): number {
    return this.#bytes.readUInt16LE(this.#advance(2));
  }

  skip(count: number): void {
    this.#advance(count);
    if (this.#at > this.#bytes.length) throw new RangeError('it ends too early');
  }

  /** Reads a text up to its NUL. */
  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end < 0) throw new RangeError('a text has no end');
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  #advance(count: number): number {
    const at = this.#at;
    this.#at += count;
    return at;
  }
}
