import type { IMarker, Terminal } from '@xterm/xterm';
import type { ConsoleLine } from '../console-connection.ts';
import { stripColours } from '../strip-colours.ts';
import { formatFold, formatLine, GREY, RESET, runOfFold } from './format-line.ts';
import { createFrameFolder, isInFold } from './frame-folder.ts';
import { createKeptLines, type KeptLine, type LevelFilter, plainText } from './kept-lines.ts';
import { isFrame, levelOf } from './line-level.ts';
import { markLine } from './margin-mark.ts';
import { createWrittenLines, type WrittenLines } from './written-lines.ts';

/** Also the most lines that can be filtered. */
export const SCROLLBACK_LINES = 100_000;
/** Characters of all kept lines. As much as fits into the scrollback of a wide window. */
const MAX_LENGTH = 20_000_000;
const REPORT_EVERY_MS = 200;
/** Old commands keep their colour. xterm moves each mark whenever a line is dropped. */
const MAX_COMMAND_MARKS = 500;

const ITALIC = '\x1b[3m';
const CLEAR_LINE = '\r\x1b[2K';

export interface FilterState {
  filter: LevelFilter;
  /** How many lines the filter hides. */
  hidden: number;
  /** Whether stack traces are folded. */
  folding: boolean;
}

export interface LineWriterOptions {
  terminal: Terminal;
  /** Whether a line, without colours, is the echo of a command that was sent from here. */
  isEcho: (plain: string) => boolean;
  /** Called with the cursor below a line that is a warning or an error. */
  onWarning: () => void;
  /** The text in place of folded lines. */
  foldText: (count: number) => string;
  onFiltered: (state: FilterState) => void;
}

/** Writes lines to the terminal, and writes them again if another filter is chosen. */
export class LineWriter {
  readonly #terminal: Terminal;
  readonly #options: LineWriterOptions;
  readonly #kept = createKeptLines({ maxLines: SCROLLBACK_LINES, maxLength: MAX_LENGTH });
  readonly #shown: WrittenLines;
  #folder = createFrameFolder();
  #folding = true;
  #filter: LevelFilter = 'all';
  #unfinished = '';
  /** The row below all lines, which is written again when it changes: the unfinished line, or a fold that still grows. */
  #bottom = '';
  /** Called once all lines are written again. */
  #onWritten: (() => void) | undefined;
  readonly #commandMarks: IMarker[] = [];
  /** Called when the terminal has parsed everything, before more is written. */
  #readers: (() => void)[] = [];
  #writing = false;
  #disposed = false;
  #report: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LineWriterOptions) {
    this.#options = options;
    this.#terminal = options.terminal;
    this.#shown = createWrittenLines({ terminal: options.terminal, maxLines: SCROLLBACK_LINES });
  }

  add(lines: readonly ConsoleLine[]): void {
    for (const line of lines) this.#kept.add(this.#described(line));
    this.#unfinished = '';
    this.#writeOn();
    if (this.#filter !== 'all') this.#report ??= setTimeout(() => this.#reportFilter(), REPORT_EVERY_MS);
  }

  /** Adds a message of Gamekeeper itself that is not in the log. It is set apart from the server's output. */
  addMessage(text: string): void {
    this.#kept.add({ seq: 0, text: `${GREY}${ITALIC}── ${text} ──`, level: 'info', kind: 'message' });
    this.#unfinished = '';
    this.#writeOn();
  }

  setUnfinished(text: string): void {
    this.#unfinished = text;
    this.#writeOn();
  }

  /** Shows the kept lines again, as many as the filter lets through, and goes to the newest one. */
  show(filter: LevelFilter): void {
    this.#filter = filter;
    this.#startOver();
  }

  /** Folds stack traces, or shows all of them in full. */
  fold(folding: boolean): void {
    this.#folding = folding;
    this.#folder = createFrameFolder();
    this.#startOver();
  }

  /** Shows the folded lines behind a link, which is from a line that this has written. */
  unfold(link: string): void {
    this.#folder.unfold(runOfFold(link));
    const { viewportY } = this.#terminal.buffer.active;
    this.#onWritten = () => this.#terminal.scrollToLine(viewportY);
    this.#startOver();
  }

  /**
   * Shows all stack traces in full if a folded line contains the text, in any case. Returns whether it does, and calls `onShown` once all is
   * written, unless this was called again.
   */
  reveal(text: string, onShown: () => void): boolean {
    const reveals = this.#folding && isInFold(text, this.#kept.shown());
    if (reveals) this.fold(false);
    if (reveals || this.#onWritten) this.#onWritten = onShown;
    else onShown();
    return reveals;
  }

  clear(): void {
    this.#kept.clear();
    this.#unfinished = '';
    this.#startOver();
  }

  /** Returns the shown lines of the log as plain text, with those that are folded. */
  text(): string {
    return plainText(this.#kept.shown());
  }

  /** Returns the newest lines of the log as plain text, with those that are folded or that the filter hides. */
  newest(most: number): string {
    return plainText(this.#kept.all(), most);
  }

  /**
   * Resolves with the lines of the log in which something is selected, as plain text, with those between them that are folded or that the
   * filter hides.
   */
  selectedText(): Promise<string> {
    return new Promise((resolve) => {
      this.#readers.push(() => resolve(plainText(this.#kept.withBetween(this.#shown.selected()))));
      this.#writeOn();
    });
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#report);
  }

  /** In turn with what is written: the terminal may have more to parse. */
  #startOver(): void {
    this.#kept.show(this.#filter);
    this.#folder.end();
    this.#shown.clear();
    this.#terminal.write(this.#clearBottom(), () => {
      this.#terminal.scrollToBottom();
      this.#terminal.clear();
    });
    this.#writeOn();
    this.#reportFilter();
  }

  /** Writes the next piece. Waits until the terminal has parsed the one before, so that a flood cannot pile up there. */
  #writeOn(): void {
    if (this.#writing || this.#disposed) return;
    if (this.#readers.length > 0) {
      this.#read();
      return;
    }
    const lines = this.#kept.take();
    if (lines.length === 0) {
      this.#writeBottom();
      this.#written();
      return;
    }
    this.#writing = true;
    let pending = this.#clearBottom();
    for (const line of lines) {
      if (line.kind !== 'frame') pending += this.#endFold();
      else if (this.#folding && this.#folder.folds(line.seq)) {
        this.#shown.fold(line);
        continue;
      }
      this.#shown.add(line);
      pending += `${formatLine(line)}${RESET}\r\n`;
      const mark = this.#markFor(line);
      if (!mark) continue;
      // A marker is set relative to the cursor, once everything before it is written.
      this.#terminal.write(pending, mark);
      pending = '';
    }
    this.#terminal.write(pending, () => this.#goOn());
  }

  #read(): void {
    const readers = this.#readers;
    this.#readers = [];
    this.#writing = true;
    this.#terminal.write('', () => {
      for (const read of readers) read();
      this.#goOn();
    });
  }

  #goOn(): void {
    this.#writing = false;
    this.#writeOn();
  }

  #described({ seq, text, notice }: ConsoleLine): KeptLine {
    const plain = stripColours(text);
    const level = levelOf(plain);
    if (notice) return { seq, text, level, kind: 'notice' };
    if (this.#options.isEcho(plain)) return { seq, text, level: 'info', kind: 'command' };
    return { seq, text, level, kind: level !== 'info' && isFrame(plain) ? 'frame' : 'output' };
  }

  #markFor({ level, kind }: KeptLine): (() => void) | undefined {
    if (kind === 'command') return () => this.#markCommand();
    if (kind === 'notice' || kind === 'message') return () => markLine(this.#terminal, 'console-notice');
    return level === 'info' || kind === 'frame' ? undefined : this.#options.onWarning;
  }

  #markCommand(): void {
    this.#commandMarks.push(markLine(this.#terminal, 'console-command'));
    if (this.#commandMarks.length > MAX_COMMAND_MARKS) this.#commandMarks.shift()?.dispose();
  }

  #writeBottom(): void {
    const bottom = this.#unfinished.slice(0, this.#terminal.cols) || this.#fold();
    if (bottom === this.#bottom) return;
    const before = this.#clearBottom() + (this.#unfinished === '' ? '' : this.#endFold());
    this.#terminal.write(`${before}${bottom}${RESET}`);
    this.#bottom = bottom;
  }

  #clearBottom(): string {
    const clearing = this.#bottom === '' ? '' : CLEAR_LINE;
    this.#bottom = '';
    return clearing;
  }

  #endFold(): string {
    const fold = this.#fold();
    this.#folder.end();
    this.#shown.endFold();
    return fold === '' ? '' : `${fold}\r\n`;
  }

  /** Returns the row in place of the folded lines of the current stack trace; empty if there are none. */
  #fold(): string {
    const { folded, run } = this.#folder;
    return folded === 0 ? '' : formatFold(run, this.#options.foldText(folded));
  }

  #written(): void {
    const onWritten = this.#onWritten;
    this.#onWritten = undefined;
    onWritten?.();
  }

  #reportFilter(): void {
    clearTimeout(this.#report);
    this.#report = undefined;
    this.#options.onFiltered({ filter: this.#filter, hidden: this.#kept.hidden, folding: this.#folding });
  }
}
