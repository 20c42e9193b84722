import { CUT_MARK, cutRemark } from './line-cut.ts';
import { TerminalParser } from './terminal-parser.ts';
import { TextStyle } from './text-style.ts';

const BS = 0x08;
const CR = 0x0d;
const ERASED = 0;

/**
 * One line of a terminal: what line editors (JLine, readline) and progress bars draw, redraw and erase, reduced to what
 * would be seen there in the end, in its colours. A tab counts as one column, a wide character too.
 */
export class TerminalLine {
  readonly #limit: number;
  readonly #parser = new TerminalParser({
    print: (code) => this.#print(code),
    control: (code) => this.#control(code),
    sequence: (final, parameters) => this.#perform(final, parameters),
    escape: (character) => this.#escape(character),
  });
  #characters = new Uint32Array(256);
  #styles: TextStyle[] = [];
  #length = 0;
  #column = 0;
  #savedColumn = 0;
  #style = TextStyle.inherited;
  #lastPrinted = ERASED;
  #cut = 0;

  /** `limit` is the most bytes that `render` makes of it, and the most columns that are kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether it is as if nothing had been printed yet. */
  get isBlank(): boolean {
    const isStart = this.#column === 0 && this.#style === TextStyle.inherited;
    return isStart && this.#shownLength() === 0 && this.#parser.isIdle;
  }

  /** Takes in what a program printed, without line ends. It may be cut anywhere. */
  feed(bytes: Uint8Array): void {
    this.#parser.push(bytes);
  }

  /** To be called before the last `render`: a character that was begun and not completed is shown as broken. */
  end(): void {
    this.#parser.end();
  }

  /** The line as it stands, in UTF-8. One that does not fit in the limit ends with a mark and a remark (line-cut.ts). */
  render(): Buffer {
    const shown = this.#shownLength();
    const { drawn, end, style } = this.#draw(shown);
    if (end === shown && this.#cut === 0) {
      return Buffer.from(drawn + this.#style.after(style));
    }
    const reset = style === TextStyle.inherited ? '' : TextStyle.plain.after(style);
    return Buffer.from(`${drawn}${reset}${CUT_MARK}${cutRemark(shown + this.#cut)}`);
  }

  /** As much of the line as fits, the style it ends in, and how many columns that is. */
  #draw(shown: number): { drawn: string; style: TextStyle; end: number } {
    let drawn = '';
    let room = this.#limit;
    let style = TextStyle.inherited;
    for (let i = 0; i < shown; i++) {
      const code = this.#characters[i]!;
      const character = code === ERASED ? ' ' : String.fromCodePoint(code);
      const change = code === ERASED ? '' : this.#styles[i]!.after(style);
      room -= change.length + Buffer.byteLength(character);
      if (room < 0) {
        return { drawn, style, end: i };
      }
      drawn += change + character;
      style = change === '' ? style : this.#styles[i]!;
    }
    return { drawn, style, end: shown };
  }

  /** What was erased at the end is not there. */
  #shownLength(): number {
    let shown = this.#length;
    while (shown > 0 && this.#characters[shown - 1] === ERASED) {
      shown--;
    }
    return shown;
  }

  #control(code: number): void {
    if (code === CR) {
      this.#column = 0;
    } else if (code === BS) {
      this.#moveTo(this.#column - 1);
    }
  }

  #escape(character: string): void {
    if (character === '7') {
      this.#savedColumn = this.#column;
    } else if (character === '8') {
      this.#moveTo(this.#savedColumn);
    }
  }

  #perform(final: string, parameters: string): void {
    const first = Number.parseInt(parameters, 10) || 0;
    const count = Math.min(Math.max(first, 1), this.#limit);
    switch (final) {
      case 'm':
        this.#style = this.#style.with(parameters);
        break;
      case 'G':
      case '`':
        this.#moveTo(count - 1);
        break;
      case 'H':
      case 'f':
        this.#moveTo((Number.parseInt(parameters.split(';')[1] ?? '1', 10) || 1) - 1);
        break;
      case 'C':
      case 'a':
        this.#moveTo(this.#column + count);
        break;
      case 'D':
        this.#moveTo(this.#column - count);
        break;
      case 'E':
      case 'F':
        this.#column = 0;
        break;
      case 'K':
      case 'J':
        this.#erase(first === 0 ? this.#column : 0, first === 1 ? this.#column + 1 : this.#length);
        break;
      case 'X':
        this.#erase(this.#column, this.#column + count);
        break;
      case 'P':
        this.#delete(count);
        break;
      case '@':
        this.#insert(count);
        break;
      case 'b':
        for (let i = 0; i < count && this.#lastPrinted !== ERASED; i++) {
          this.#print(this.#lastPrinted);
        }
        break;
      case 's':
        this.#savedColumn = this.#column;
        break;
      case 'u':
        this.#moveTo(this.#savedColumn);
        break;
      default:
      // up, down, scrolling, modes, questions: nothing of this line
    }
  }

  #moveTo(column: number): void {
    this.#column = Math.min(Math.max(column, 0), this.#limit);
  }

  #print(code: number): void {
    this.#lastPrinted = code;
    if (this.#column >= this.#limit) {
      this.#cut++;
      return;
    }
    this.#reach(this.#column + 1);
    this.#characters[this.#column] = code;
    this.#styles[this.#column] = this.#style;
    this.#column++;
  }

  #reach(length: number): void {
    if (length <= this.#length) {
      return;
    }
    if (length > this.#characters.length) {
      const wider = new Uint32Array(Math.min(Math.max(length, this.#characters.length * 2), this.#limit));
      wider.set(this.#characters.subarray(0, this.#length));
      this.#characters = wider;
    }
    for (let i = this.#length; i < length; i++) {
      this.#characters[i] = ERASED;
      this.#styles[i] = this.#style;
    }
    this.#length = length;
  }

  #erase(from: number, to: number): void {
    this.#characters.fill(ERASED, from, Math.min(to, this.#length));
  }

  #delete(count: number): void {
    const at = Math.min(this.#column, this.#length);
    const gone = Math.min(count, this.#length - at);
    this.#characters.copyWithin(at, at + gone, this.#length);
    this.#styles.splice(at, gone);
    this.#length -= gone;
  }

  #insert(count: number): void {
    if (this.#column >= this.#length) {
      return;
    }
    const before = this.#length;
    this.#reach(Math.min(before + count, this.#limit));
    this.#characters.copyWithin(this.#column + count, this.#column, before);
    this.#styles.copyWithin(this.#column + count, this.#column, before);
    this.#erase(this.#column, this.#column + count);
  }
}
