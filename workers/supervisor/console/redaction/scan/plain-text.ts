const ESC = 0x1b;
const LF = 0x0a;
const CSI = 0x5b;
const OSC = 0x5d;
const BEL = 0x07;
/** Begins Minecraft's own colour codes, with one letter behind. */
const SECTION = Buffer.from('§');

/** Line ends before and behind the text, so that rules may look around without checking bounds. */
export const GUARD = 64;

/**
 * Terminal text without its colours, and the way back: rules run on `bytes` between `start` and `end`, and what they
 * find there is replaced in the coloured text. One instance is used over and over; its buffer only grows.
 */
export class PlainText {
  bytes: Buffer;
  /** The same bytes, for reading several at a time. */
  view: DataView;
  readonly start = GUARD;
  end = GUARD;
  /** Where in the plain text sequences were taken out, in order, and how many bytes each had. */
  cutCount = 0;
  cutPositions = new Int32Array(256);
  cutLengths = new Int32Array(256);

  constructor(capacity: number) {
    this.bytes = Buffer.alloc(capacity + 2 * GUARD, LF);
    this.view = viewOf(this.bytes);
  }

  /** Takes in whole lines. */
  load(coloured: Buffer): void {
    if (coloured.length + 2 * GUARD > this.bytes.length) {
      this.bytes = Buffer.alloc(coloured.length * 2 + 2 * GUARD, LF);
      this.view = viewOf(this.bytes);
    }
    this.cutCount = 0;
    if (coloured.includes(SECTION)) {
      this.end = copyWithoutColours(coloured, this, SECTION[0]!);
    } else if (coloured.includes(ESC)) {
      this.end = copyWithoutColours(coloured, this, ESC);
    } else {
      this.bytes.set(coloured, GUARD);
      this.end = GUARD + coloured.length;
    }
    this.bytes.fill(LF, this.end, this.end + GUARD);
  }

  /** Where the plain text's byte at `position` is in the coloured text, before the colours that stand there. */
  colouredIndex(position: number): number {
    let index = position - this.start;
    for (let cut = 0; cut < this.cutCount && this.cutPositions[cut]! < position; cut++) {
      index += this.cutLengths[cut]!;
    }
    return index;
  }

  /** Notes that `length` bytes were left out before `position`. */
  cut(position: number, length: number): void {
    if (this.cutCount === this.cutPositions.length) {
      const { cutPositions, cutLengths } = this;
      this.cutPositions = new Int32Array(this.cutCount * 2);
      this.cutPositions.set(cutPositions);
      this.cutLengths = new Int32Array(this.cutCount * 2);
      this.cutLengths.set(cutLengths);
    }
    this.cutPositions[this.cutCount] = position;
    this.cutLengths[this.cutCount] = length;
    this.cutCount++;
  }
}

/** `also` is the first byte of what begins a colour besides ESC. Answers where the plain text ends. */
function copyWithoutColours(coloured: Buffer, text: PlainText, also: number): number {
  const { length } = coloured;
  const from = viewOf(coloured);
  const into = text.view;
  let to = GUARD;
  for (let at = 0; ; ) {
    const next = copyToColour(from, at, into, to, also);
    to += next - at;
    if (next >= length) {
      return to;
    }
    at = endOfSequence(coloured, next);
    if (at > next) {
      text.cut(to, at - next);
    } else {
      into.setUint8(to++, coloured[at++]!);
    }
  }
}

/** The same byte four times. As 32-bit integers, which the engine is quick with. */
const EACH = 0x01010101;
const HIGH_BITS = 0x80808080 | 0;
const ESCAPES = Math.imul(ESC, EACH);

/**
 * Copies up to the next byte that may begin a colour, and answers where that is. Four bytes at a time: whether one of
 * them is such a byte, Mycroft's bit trick tells (https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord).
 */
function copyToColour(from: DataView, start: number, into: DataView, offset: number, also: number): number {
  const length = from.byteLength;
  const shift = offset - start;
  const signs = Math.imul(also, EACH);
  let at = start;
  for (; at < length - 3; at += 4) {
    const word = from.getInt32(at, true);
    const escapes = word ^ ESCAPES;
    const others = word ^ signs;
    if (((((escapes - EACH) & ~escapes) | ((others - EACH) & ~others)) & HIGH_BITS) !== 0) {
      break;
    }
    into.setInt32(at + shift, word, true);
  }
  for (; at < length; at++) {
    const byte = from.getUint8(at);
    if (byte === ESC || byte === also) {
      break;
    }
    into.setUint8(at + shift, byte);
  }
  return at;
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Behind the escape sequence or colour code at `at`, or `at` itself if none is complete within its line (ECMA-48, 5.4). */
function endOfSequence(text: Buffer, at: number): number {
  const second = text[at + 1];
  if (text[at] !== ESC) {
    return second === SECTION[1] && isColourLetter(text[at + 2]) ? at + 3 : at;
  }
  if (second === CSI) {
    const end = endOfParameters(text, at + 2, 0x3f);
    const final = text[end] ?? 0;
    return final >= 0x40 && final <= 0x7e ? end + 1 : end;
  }
  if (second === OSC) {
    const end = endOfParameters(text, at + 2, 0xff);
    return text[end] === BEL ? end + 1 : end;
  }
  return at + 1;
}

function endOfParameters(text: Buffer, from: number, highest: number): number {
  let at = from;
  while (at < text.length && text[at]! >= 0x20 && text[at]! <= highest) {
    at++;
  }
  return at;
}

function isColourLetter(byte: number | undefined): boolean {
  return byte !== undefined && /[0-9a-fk-orx]/i.test(String.fromCharCode(byte));
}
