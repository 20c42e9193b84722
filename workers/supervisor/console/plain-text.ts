const ESC = 0x1b;
const LF = 0x0a;
const CSI = 0x5b;
const OSC = 0x5d;
const BEL = 0x07;
/** Begins Minecraft's own colour codes, with one letter behind. */
const SECTION = Buffer.from('§');

/** Between colours: what is shorter is copied byte by byte, since a native call costs as much as copying this. */
const SHORT = 128;

/** Line ends before and behind the text, so that rules may look around without checking bounds. */
export const GUARD = 64;

/**
 * Terminal text without its colours, and the way back: rules run on `bytes` between `start` and `end`, and what they
 * find there is replaced in the coloured text. One instance is used over and over; its buffer only grows.
 */
export class PlainText {
  bytes: Buffer;
  readonly start = GUARD;
  end = GUARD;
  /** Where in the plain text sequences were taken out, in order, and how many bytes each had. */
  cutCount = 0;
  cutPositions = new Int32Array(256);
  cutLengths = new Int32Array(256);

  constructor(capacity: number) {
    this.bytes = Buffer.alloc(capacity + 2 * GUARD, LF);
  }

  /** Takes in whole lines. */
  load(coloured: Buffer): void {
    if (coloured.length + 2 * GUARD > this.bytes.length) {
      this.bytes = Buffer.alloc(coloured.length * 2 + 2 * GUARD, LF);
    }
    this.cutCount = 0;
    if (coloured.includes(SECTION)) {
      this.end = this.#copyWithoutColours(coloured, SECTION[0]!);
    } else if (coloured.includes(ESC)) {
      this.end = this.#copyWithoutColours(coloured, ESC);
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

  /** `also` is the first byte of what begins a colour besides ESC. */
  #copyWithoutColours(coloured: Buffer, also: number): number {
    const { length } = coloured;
    let to = GUARD;
    // Colours come in swarms: the distance to the last one foretells the distance to the next.
    let looked = 0;
    for (let at = 0; ; ) {
      const next = copyToColour(coloured, at, this.bytes, to, also, looked);
      looked = next - at < SHORT ? SHORT : 0;
      to += next - at;
      if (next === length) {
        return to;
      }
      at = endOfSequence(coloured, next);
      if (at > next) {
        this.#cut(to, at - next);
      } else {
        this.bytes[to++] = coloured[at++]!;
      }
    }
  }

  #cut(position: number, length: number): void {
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

/**
 * Copies up to the next byte that may begin a colour, and answers where that is. Four bytes to a round, since the
 * engine's own work for each round of a loop is more than the copying.
 */
function copyToColour(from: Buffer, start: number, into: Buffer, offset: number, also: number, byByte: number): number {
  const { length } = from;
  const rounds = Math.min(start + byByte, length - 3);
  const shift = offset - start;
  let at = start;
  for (; at < rounds; at += 4) {
    const first = from[at]!;
    if (first === ESC || first === also) {
      return at;
    }
    const second = from[at + 1]!;
    const third = from[at + 2]!;
    const fourth = from[at + 3]!;
    into[at + shift] = first;
    // What is copied of a colour here is copied over.
    into[at + shift + 1] = second;
    into[at + shift + 2] = third;
    into[at + shift + 3] = fourth;
    if (second === ESC || second === also) {
      return at + 1;
    }
    if (third === ESC || third === also) {
      return at + 2;
    }
    if (fourth === ESC || fourth === also) {
      return at + 3;
    }
  }
  const end = nextSign(from, at, also);
  from.copy(into, at + shift, at, end);
  return end;
}

function nextSign(text: Buffer, from: number, also: number): number {
  const sequence = text.indexOf(ESC, from);
  const other = also === ESC ? sequence : text.indexOf(also, from);
  if (sequence < 0 || other < 0) {
    return sequence < 0 && other < 0 ? text.length : Math.max(sequence, other);
  }
  return Math.min(sequence, other);
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
