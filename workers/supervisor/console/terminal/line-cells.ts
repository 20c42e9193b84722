import type { TextStyle } from './text-style.ts';

/** The code of a cell that was never printed, or was erased. */
export const EMPTY = 0;

/**
 * How many times its longest length a line may be moved or repeated. A line editor needs a fraction; a program could make a line of 64 KiB move at
 * every third byte that it prints.
 */
const MOST_REWRITES = 4;

/** The cells of one line, each a character in a style, and the cursor. A tab and a wide character take one cell each. */
export class LineCells {
  readonly #limit: number;
  #codes = new Uint32Array(256);
  #styles: TextStyle[] = [];
  #length = 0;
  #column = 0;
  /** Cells that may still be moved or repeated. */
  #rewritesLeft: number;

  /** Keeps at most `limit` cells. */
  constructor(limit: number) {
    this.#limit = limit;
    this.#rewritesLeft = MOST_REWRITES * limit;
  }

  get column(): number {
    return this.#column;
  }

  /** Number of cells up to the last one that is not empty. */
  get shownLength(): number {
    let shown = this.#length;
    while (shown > 0 && this.#codes[shown - 1] === EMPTY) {
      shown--;
    }
    return shown;
  }

  /** The code point at `index`, or `EMPTY`. */
  codeAt(index: number): number {
    return this.#codes[index]!;
  }

  styleAt(index: number): TextStyle {
    return this.#styles[index]!;
  }

  moveTo(column: number): void {
    this.#column = Math.min(Math.max(column, 0), this.#limit);
  }

  /** Puts a character at the cursor and moves on. Returns false if the line is full. */
  print(code: number, style: TextStyle): boolean {
    if (this.#column >= this.#limit) {
      return false;
    }
    this.#reach(this.#column + 1, style);
    this.#codes[this.#column] = code;
    this.#styles[this.#column] = style;
    this.#column++;
    return true;
  }

  /** Empties the cells from `from` up to `to`, which is the line's end by default. */
  erase(from: number, to = this.#length): void {
    this.#codes.fill(EMPTY, from, Math.min(to, this.#length));
  }

  /** Counts cells that a program has moved or repeated. Returns false, and from then on, once these are too many for one line. */
  mayRewrite(cells: number): boolean {
    this.#rewritesLeft -= cells;
    return this.#rewritesLeft >= 0;
  }

  /** Removes `count` cells at the cursor; the rest moves left. */
  delete(count: number): void {
    const at = Math.min(this.#column, this.#length);
    if (!this.mayRewrite(this.#length - at)) {
      return;
    }
    const removed = Math.min(count, this.#length - at);
    this.#codes.copyWithin(at, at + removed, this.#length);
    this.#styles.splice(at, removed);
    this.#length -= removed;
  }

  /** Inserts `count` empty cells at the cursor; the rest moves right. */
  insert(count: number, style: TextStyle): void {
    if (this.#column >= this.#length || !this.mayRewrite(this.#length - this.#column + count)) {
      return;
    }
    const before = this.#length;
    this.#reach(Math.min(before + count, this.#limit), style);
    this.#codes.copyWithin(this.#column + count, this.#column, before);
    this.#styles.copyWithin(this.#column + count, this.#column, before);
    this.erase(this.#column, this.#column + count);
  }

  #reach(length: number, style: TextStyle): void {
    if (length <= this.#length) {
      return;
    }
    if (length > this.#codes.length) {
      const wider = new Uint32Array(Math.min(Math.max(length, this.#codes.length * 2), this.#limit));
      wider.set(this.#codes.subarray(0, this.#length));
      this.#codes = wider;
    }
    for (let i = this.#length; i < length; i++) {
      this.#codes[i] = EMPTY;
      this.#styles[i] = style;
    }
    this.#length = length;
  }
}
