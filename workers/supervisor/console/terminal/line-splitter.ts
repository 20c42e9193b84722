import { countCleanLines, DIRTY } from './clean-lines.ts';
import { CUT_MARK } from './line-cut.ts';
import { withoutForgery } from './notice.ts';
import { TerminalLine } from './terminal-line.ts';

const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;

/**
 * In bytes, without the line end. A longer line is cut, not split: no rule would recognise a secret across a split. A remark at its end
 * says so (line-cut.ts).
 */
export const LONGEST_LINE = 64 * 1024;

const LINE_END = Buffer.from('\r\n');

/** Whole lines, each ending in CR LF. They contain printable UTF-8, tabs and SGR colours only, and none looks like a notice. */
export interface Lines {
  /** Valid until the next call. */
  readonly text: Buffer;
  readonly count: number;
}

/**
 * Splits terminal output into lines. LF ends a line, with any number of CR before it. Clean lines pass through unchanged, many at a
 * time. A line with cursor movements, erasures, invisible characters or broken UTF-8 is drawn on a `TerminalLine` and comes out as it
 * finally looks. The result does not depend on how the bytes were split into reads.
 */
export class LineSplitter {
  /** The unfinished line. */
  #tail = Buffer.alloc(256);
  #tailLength = 0;
  /** The unfinished line once it exceeds `LONGEST_LINE`; `#tail` is empty then. */
  #longLine: TerminalLine | undefined;
  #block = Buffer.alloc(0);

  /** Takes one read of the terminal. Returns the lines that it completes, if any. */
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

  /** Returns the unfinished line (a prompt, a progress bar) as it looks now, without a line end. Empty if it is too long. */
  unfinished(): Buffer {
    if (this.#longLine !== undefined || this.#tailLength === 0) {
      return Buffer.alloc(0);
    }
    const line = new TerminalLine(LONGEST_LINE);
    line.feed(this.#tail.subarray(0, this.#tailLength));
    const drawn = line.render();
    return drawn.includes(CUT_MARK) ? Buffer.alloc(0) : withoutForgery(drawn);
  }

  /** True if a line has begun and not ended. */
  get isMidLine(): boolean {
    return this.#tailLength > 0 || this.#longLine !== undefined;
  }

  /** Ends the output: returns the unfinished line as a whole one. */
  flush(): Lines | undefined {
    if (!this.isMidLine) {
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
      text: Buffer.concat([withoutForgery(first), LINE_END, ...(rest === undefined ? [] : [rest.text])]),
      count: 1 + (rest?.count ?? 0),
    };
  }
}

function linesOf(block: Buffer): Lines {
  const count = countCleanLines(block, LONGEST_LINE);
  return count === DIRTY ? cleaned(block) : { text: block, count };
}

/** Cleans a block line by line. */
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
    parts.push(withoutForgery(end - from > LONGEST_LINE ? draw(line) : cleanedLine(line)), LINE_END);
    from = end + 1;
  }
  return { text: Buffer.concat(parts), count };
}

/** Returns a line, without its line end, as it finally looks. */
export function cleanedLine(line: Buffer): Buffer {
  if (isClean(line)) {
    return line;
  }
  // Line editors erase their prompt and then print the line, which is often clean and need not be drawn.
  const erased = endOfLastErasure(line);
  const drawing = new TerminalLine(LONGEST_LINE);
  drawing.feed(line.subarray(0, erased));
  const rest = line.subarray(erased);
  return drawing.isBlank && isClean(rest) ? rest : draw(rest, drawing);
}

function draw(bytes: Buffer, line = new TerminalLine(LONGEST_LINE)): Buffer {
  line.feed(bytes);
  line.end();
  return line.render();
}

function isClean(line: Buffer): boolean {
  return countCleanLines(line, LONGEST_LINE) !== DIRTY;
}

/** Returns the index after the last `ESC [ K` or `ESC [ J`, with or without a number, or 0 if there is none. */
function endOfLastErasure(line: Buffer): number {
  for (let at = line.lastIndexOf(ESC); at >= 0; at = at > 0 ? line.lastIndexOf(ESC, at - 1) : -1) {
    const final = line[at + 2]! <= 0x32 ? at + 3 : at + 2;
    if (line[at + 1] === 0x5b && (line[final] === 0x4b || line[final] === 0x4a)) {
      return final + 1;
    }
  }
  return 0;
}
