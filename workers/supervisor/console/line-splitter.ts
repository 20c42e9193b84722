import { isUtf8 } from 'node:buffer';
import { TerminalLine } from './terminal-line.ts';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const DEL = 0x7f;
/** Begins the two bytes of U+0080 to U+00BF in UTF-8: the first half of those are control characters. */
const C1_LEAD = 0xc2;

/**
 * Bytes of a line, its end not counted. Longer ones are cut, not split: a secret across a split would be in neither
 * half. The rest is counted, and the line says so at its end.
 */
export const LONGEST_LINE = 64 * 1024;

const LINE_END = Buffer.from('\r\n');
const DIRTY = -1;

/** Whole lines, each ending in CR LF: printable UTF-8, tabs, and SGR colours; nothing else. */
export interface Lines {
  /** Holds until the next call. */
  readonly text: Buffer;
  readonly count: number;
}

/**
 * What a program prints on a terminal, as lines. Any run of CR before LF ends a line. A line with cursor movements,
 * erasures or broken UTF-8 is drawn on a `TerminalLine` and comes out as it would be seen in the end; all others pass
 * through as they are, many at a time. The result does not depend on how the bytes were cut.
 */
export class LineSplitter {
  /** The line that has not ended yet. */
  #tail = Buffer.alloc(256);
  #tailLength = 0;
  /** The same, once it has become too long to be kept as it is. */
  #longLine: TerminalLine | undefined;
  #block = Buffer.alloc(0);

  /** Takes in bytes as they were read. Answers the lines that they complete, if any. */
  push(bytes: Buffer): Lines | undefined {
    const last = bytes.lastIndexOf(LF);
    if (last < 0) {
      this.#keep(bytes);
      return undefined;
    }
    const complete = bytes.subarray(0, last + 1);
    let lines: Lines | undefined;
    if (this.#longLine !== undefined) {
      lines = this.#endLongLine(complete);
    } else {
      lines = linesOf(this.#tailLength === 0 ? complete : this.#join(complete));
    }
    this.#tailLength = 0;
    this.#keep(bytes.subarray(last + 1));
    return lines;
  }

  /** What the unfinished line looks like now, without a line end: a prompt, a progress bar. */
  unfinished(): Buffer {
    if (this.#longLine !== undefined || this.#tailLength === 0) {
      return Buffer.alloc(0);
    }
    const line = new TerminalLine(LONGEST_LINE);
    line.feed(this.#tail.subarray(0, this.#tailLength));
    return line.render();
  }

  /** The unfinished line as a line of its own, when nothing more will come. */
  flush(): Lines | undefined {
    if (this.#tailLength === 0 && this.#longLine === undefined) {
      return undefined;
    }
    const lines = this.push(Buffer.from([LF]));
    return lines !== undefined && lines.text.length > LINE_END.length ? lines : undefined;
  }

  #keep(bytes: Buffer): void {
    if (this.#longLine === undefined && this.#tailLength + bytes.length > LONGEST_LINE) {
      this.#longLine = new TerminalLine(LONGEST_LINE);
      this.#longLine.feed(this.#tail.subarray(0, this.#tailLength));
      this.#tailLength = 0;
    }
    if (this.#longLine !== undefined) {
      this.#longLine.feed(bytes);
      return;
    }
    const length = this.#tailLength + bytes.length;
    if (length > this.#tail.length) {
      const wider = Buffer.alloc(length * 2);
      this.#tail.copy(wider, 0, 0, this.#tailLength);
      this.#tail = wider;
    }
    bytes.copy(this.#tail, this.#tailLength);
    this.#tailLength = length;
  }

  #join(complete: Buffer): Buffer {
    const length = this.#tailLength + complete.length;
    if (length > this.#block.length) {
      this.#block = Buffer.allocUnsafeSlow(length);
    }
    this.#tail.copy(this.#block, 0, 0, this.#tailLength);
    complete.copy(this.#block, this.#tailLength);
    return this.#block.subarray(0, length);
  }

  #endLongLine(complete: Buffer): Lines {
    const end = complete.indexOf(LF);
    const first = draw(complete.subarray(0, end), this.#longLine);
    this.#longLine = undefined;
    const rest = end + 1 < complete.length ? linesOf(complete.subarray(end + 1)) : undefined;
    return {
      text: Buffer.concat([first, LINE_END, ...(rest === undefined ? [] : [rest.text])]),
      count: 1 + (rest?.count ?? 0),
    };
  }
}

function linesOf(block: Buffer): Lines {
  const count = isUtf8(block) ? countCleanLines(block, 0, block.length) : DIRTY;
  return count === DIRTY ? cleaned(block) : { text: block, count };
}

/** Goes line by line where not all of them are as they should be. */
function cleaned(block: Buffer): Lines {
  const parts: Buffer[] = [];
  let count = 0;
  for (let from = 0; from < block.length; count++) {
    const end = block.indexOf(LF, from);
    let textEnd = end;
    while (textEnd > from && block[textEnd - 1] === CR) {
      textEnd--;
    }
    const line = block.subarray(from, textEnd);
    const isClean = end - from <= LONGEST_LINE && isUtf8(line) && countCleanLines(block, from, textEnd) !== DIRTY;
    parts.push(isClean ? line : draw(block.subarray(from, end)), LINE_END);
    from = end + 1;
  }
  return { text: Buffer.concat(parts), count };
}

function draw(bytes: Buffer, line = new TerminalLine(LONGEST_LINE)): Buffer {
  line.feed(bytes);
  line.end();
  return line.render();
}

/** 1 for bytes that a clean line does not simply contain. */
const special = new Uint8Array(256);
special.fill(1, 0, 0x20);
special[TAB] = 0;
special[DEL] = 1;
special[C1_LEAD] = 1;

/**
 * How many lines there are from `from` to `to`, or -1 if they are not all clean: ending in one CR and LF, not too long,
 * without control characters but tabs and colours.
 */
function countCleanLines(block: Buffer, from: number, to: number): number {
  let count = 0;
  let lineStart = from;
  let at = from;
  while (at < to) {
    at = nextSpecial(block, at, to);
    if (at >= to) {
      break;
    }
    switch (block[at]) {
      case CR:
        if (block[at + 1] !== LF || at + 1 >= to || at + 1 - lineStart > LONGEST_LINE) {
          return DIRTY;
        }
        at += 2;
        lineStart = at;
        count++;
        break;
      case ESC: {
        const end = endOfColour(block, at);
        if (end === at) {
          return DIRTY;
        }
        at = end;
        break;
      }
      case C1_LEAD:
        if (block[at + 1]! < 0xa0) {
          return DIRTY;
        }
        at += 2;
        break;
      default:
        return DIRTY;
    }
  }
  return count;
}

/** Four bytes to a round, since the engine's own work for each round of a loop is more than a look at the table. */
function nextSpecial(block: Buffer, from: number, to: number): number {
  let at = from;
  for (const rounds = to - 3; at < rounds; at += 4) {
    if (special[block[at]!] !== 0) {
      return at;
    }
    if (special[block[at + 1]!] !== 0) {
      return at + 1;
    }
    if (special[block[at + 2]!] !== 0) {
      return at + 2;
    }
    if (special[block[at + 3]!] !== 0) {
      return at + 3;
    }
  }
  while (at < to && special[block[at]!] === 0) {
    at++;
  }
  return at;
}

/** Behind the SGR sequence at `at`, or `at` itself if it is another. */
function endOfColour(block: Buffer, at: number): number {
  if (block[at + 1] !== 0x5b) {
    return at;
  }
  let end = at + 2;
  while (block[end]! >= 0x30 && block[end]! <= 0x3b) {
    end++;
  }
  return block[end] === 0x6d ? end + 1 : at;
}
