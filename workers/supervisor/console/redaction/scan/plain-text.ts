const ESC = 0x1b;
const LF = 0x0a;
const CSI = 0x5b;
const OSC = 0x5d;
const BEL = 0x07;
/** Begins Minecraft's own colour codes, which have one more letter. */
const SECTION = Buffer.from('§');

/** Number of line ends before and after the text, so that rules need no bounds checks. */
export const GUARD = 64;

/**
 * Terminal text without its colours, and the way back. Rules run on `bytes` from `start` to `end`; their hits are replaced in the coloured
 * text. One instance is reused, and its buffer only grows.
 */
export class PlainText {
  bytes: Buffer;
  /** The same memory, for reads of several bytes. */
  view: DataView;
  readonly start = GUARD;
  end = GUARD;
  /** The index in the plain text of each sequence that was left out, in order, and its length in bytes. */
  cutCount = 0;
  cutPositions = new Int32Array(256);
  cutLengths = new Int32Array(256);

  constructor(capacity: number) {
    this.bytes = Buffer.alloc(capacity + 2 * GUARD, LF);
    this.view = viewOf(this.bytes);
  }

  /** Loads whole lines. */
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

  /** Returns the index in the coloured text of the plain byte at `position`, before any colours there. */
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

/** `also` is the first byte of a colour besides ESC. Returns the end of the plain text. */
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

/** The same byte four times. All of these are 32-bit integers, V8's fastest numbers. */
const EACH = 0x01010101;
const HIGH_BITS = 0x80808080 | 0;
const ESCAPES = Math.imul(ESC, EACH);

/**
 * Copies up to the next byte that may begin a colour, and returns its index. Compares four bytes at a time, with
 * https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord.
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

/** Returns the index after the escape sequence (ECMA-48, 5.4) or colour code at `at`, or `at` itself if it is incomplete. */
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

/** Returns the text without a colour code at its end that may not be complete. */
export function withoutBegunColour(text: Buffer): Buffer {
  const at = text.lastIndexOf(SECTION[0]!);
  return at >= 0 && at >= text.length - SECTION.length && SECTION.indexOf(text.subarray(at)) === 0
    ? text.subarray(0, at)
    : text;
}

function isColourLetter(byte: number | undefined): boolean {
  return byte !== undefined && /[0-9a-fk-orx]/i.test(String.fromCharCode(byte));
}
