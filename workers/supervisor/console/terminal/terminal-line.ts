import { isInvisible, shownAs } from '../../../../shared/domain/console/invisible-characters.ts';
import { EMPTY, LineCells } from './line-cells.ts';
import { CUT_MARK, cutRemark } from './line-cut.ts';
import { TerminalParser } from './terminal-parser.ts';
import { TextStyle } from './text-style.ts';

const BS = 0x08;
const CR = 0x0d;

/**
 * One line of a terminal. Line editors (JLine, readline) and progress bars draw, redraw and erase it; `render` returns what a
 * user would see at the end, in its colours.
 */
export class TerminalLine {
  readonly #limit: number;
  readonly #parser = new TerminalParser({
    print: (code) => (isInvisible(code) ? this.#printShown(code) : this.#print(code)),
    control: (code) => this.#control(code),
    sequence: (final, parameters) => this.#perform(final, parameters),
    escape: (character) => this.#escape(character),
  });
  readonly #cells: LineCells;
  #savedColumn = 0;
  #style = TextStyle.inherited;
  #lastPrinted = EMPTY;
  /** Characters that did not fit. */
  #cut = 0;

  /** `limit` is the maximum of bytes that `render` returns, before the remark on a cut, and of columns that are kept. */
  constructor(limit: number) {
    this.#limit = limit;
    this.#cells = new LineCells(limit);
  }

  /** Whether the line and the cursor are as before the first character. */
  get isBlank(): boolean {
    const isStart = this.#cells.column === 0 && this.#style === TextStyle.inherited;
    return isStart && this.#cells.shownLength === 0 && this.#parser.isIdle;
  }

  /** Takes a program's output without line ends, in pieces of any length. */
  feed(bytes: Uint8Array): void {
    this.#parser.push(bytes);
  }

  /** Call this before the last `render`: an incomplete character then becomes U+FFFD. */
  end(): void {
    this.#parser.end();
  }

  /** Returns the line in UTF-8. One that exceeds the limit ends with the mark and the remark of `line-cut.ts`. */
  render(): Buffer {
    const shown = this.#cells.shownLength;
    const { drawn, end, style } = this.#draw(shown);
    if (end === shown && this.#cut === 0) {
      return Buffer.from(drawn + this.#style.after(style));
    }
    const reset = style === TextStyle.inherited ? '' : TextStyle.plain.after(style);
    return Buffer.from(`${drawn}${reset}${CUT_MARK}${cutRemark(shown + this.#cut)}`);
  }

  /** Draws as many of the columns as fit. `end` is their number, `style` the style of the last one. */
  #draw(shown: number): { drawn: string; style: TextStyle; end: number } {
    let drawn = '';
    let room = this.#limit;
    let style = TextStyle.inherited;
    for (let i = 0; i < shown; i++) {
      const code = this.#cells.codeAt(i);
      const character = code === EMPTY ? ' ' : String.fromCodePoint(code);
      const change = code === EMPTY ? '' : this.#cells.styleAt(i).after(style);
      room -= change.length + Buffer.byteLength(character);
      if (room < 0) {
        return { drawn, style, end: i };
      }
      drawn += change + character;
      style = change === '' ? style : this.#cells.styleAt(i);
    }
    return { drawn, style, end: shown };
  }

  #print(code: number): void {
    this.#lastPrinted = code;
    if (!this.#cells.print(code, this.#style)) {
      this.#cut++;
    }
  }

  /** Prints an invisible character so that everybody sees it. */
  #printShown(code: number): void {
    for (const character of shownAs(code)) {
      this.#print(character.codePointAt(0)!);
    }
  }

  #control(code: number): void {
    if (code === CR) {
      this.#cells.moveTo(0);
    } else if (code === BS) {
      this.#cells.moveTo(this.#cells.column - 1);
    }
  }

  #escape(character: string): void {
    if (character === '7') {
      this.#savedColumn = this.#cells.column;
    } else if (character === '8') {
      this.#cells.moveTo(this.#savedColumn);
    }
  }

  /** Handles the control sequences that concern one line (ECMA-48, 8.3); others (up, down, scrolling, modes) are left out. */
  #perform(final: string, parameters: string): void {
    const cells = this.#cells;
    const first = Number.parseInt(parameters, 10) || 0;
    const count = Math.min(Math.max(first, 1), this.#limit);
    switch (final) {
      case 'm':
        this.#style = this.#style.with(parameters);
        break;
      case 'G':
      case '`':
        cells.moveTo(count - 1);
        break;
      case 'H':
      case 'f':
        cells.moveTo((Number.parseInt(parameters.split(';')[1] ?? '1', 10) || 1) - 1);
        break;
      case 'C':
      case 'a':
        cells.moveTo(cells.column + count);
        break;
      case 'D':
        cells.moveTo(cells.column - count);
        break;
      case 'E':
      case 'F':
        cells.moveTo(0);
        break;
      case 'K':
      case 'J':
        cells.erase(first === 0 ? cells.column : 0, first === 1 ? cells.column + 1 : undefined);
        break;
      case 'X':
        cells.erase(cells.column, cells.column + count);
        break;
      case 'P':
        cells.delete(count);
        break;
      case '@':
        cells.insert(count, this.#style);
        break;
      case 'b':
        this.#repeatLast(count);
        break;
      case 's':
        this.#savedColumn = cells.column;
        break;
      case 'u':
        cells.moveTo(this.#savedColumn);
        break;
      default:
    }
  }

  #repeatLast(count: number): void {
    if (this.#lastPrinted === EMPTY || !this.#cells.mayRewrite(count)) {
      return;
    }
    for (let i = 0; i < count; i++) {
      this.#print(this.#lastPrinted);
    }
  }
}
