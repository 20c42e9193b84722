const REPLACEMENT = 0xfffd;

/**
 * UTF-8 to code points, a byte at a time, so that a character may be cut anywhere. What is no UTF-8 becomes U+FFFD as
 * the Encoding Standard has it (https://encoding.spec.whatwg.org/#utf-8-decoder), wherever the pieces were cut.
 */
export class Utf8Decoder {
  #codePoint = 0;
  #missing = 0;
  #lowest = 0x80;
  #highest = 0xbf;

  /** Whether a character has begun and is not complete. */
  get isInside(): boolean {
    return this.#missing > 0;
  }

  /** Gives the code points that `byte` completes to `emit`: none, one, or two after a broken character. */
  push(byte: number, emit: (codePoint: number) => void): void {
    if (this.#missing > 0) {
      if (byte >= this.#lowest && byte <= this.#highest) {
        this.#continue(byte, emit);
        return;
      }
      this.end(emit);
    }
    this.#begin(byte, emit);
  }

  /** Gives U+FFFD for a character that was not completed. */
  end(emit: (codePoint: number) => void): void {
    if (this.#missing > 0) {
      this.#missing = 0;
      emit(REPLACEMENT);
    }
  }

  #begin(byte: number, emit: (codePoint: number) => void): void {
    this.#lowest = 0x80;
    this.#highest = 0xbf;
    if (byte < 0x80) {
      emit(byte);
    } else if (byte >= 0xc2 && byte <= 0xdf) {
      this.#missing = 1;
      this.#codePoint = byte & 0x1f;
    } else if (byte >= 0xe0 && byte <= 0xef) {
      this.#missing = 2;
      this.#codePoint = byte & 0x0f;
      this.#lowest = byte === 0xe0 ? 0xa0 : 0x80;
      this.#highest = byte === 0xed ? 0x9f : 0xbf;
    } else if (byte >= 0xf0 && byte <= 0xf4) {
      this.#missing = 3;
      this.#codePoint = byte & 0x07;
      this.#lowest = byte === 0xf0 ? 0x90 : 0x80;
      this.#highest = byte === 0xf4 ? 0x8f : 0xbf;
    } else {
      emit(REPLACEMENT);
    }
  }

  #continue(byte: number, emit: (codePoint: number) => void): void {
    this.#lowest = 0x80;
    this.#highest = 0xbf;
    this.#codePoint = (this.#codePoint << 6) | (byte & 0x3f);
    this.#missing--;
    if (this.#missing === 0) {
      emit(this.#codePoint);
    }
  }
}
