const REPLACEMENT = 0xfffd;

/**
 * Decodes UTF-8 a byte at a time, so that reads may end inside a character. Invalid bytes become U+FFFD as in the Encoding Standard
 * (https://encoding.spec.whatwg.org/#utf-8-decoder).
 */
export class Utf8Decoder {
  #codePoint = 0;
  #missing = 0;
  #lowest = 0x80;
  #highest = 0xbf;

  /** True inside a character. */
  get isInside(): boolean {
    return this.#missing > 0;
  }

  /** Calls `emit` with the code points that `byte` completes: none, one, or two after an invalid character. */
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

  /** Ends the text: emits U+FFFD for an incomplete character. */
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
