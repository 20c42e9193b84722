import type { IMarker, Terminal } from '@xterm/xterm';
import type { ConsoleLine } from '../console-connection.ts';
import { stripColours } from '../strip-colours.ts';
import { formatLine, GREY } from './format-line.ts';
import { createKeptLines, type KeptLine, type LevelFilter } from './kept-lines.ts';
import { levelOf } from './line-level.ts';
import { markLine } from './margin-mark.ts';

/** Also the most lines that can be filtered. */
export const SCROLLBACK_LINES = 100_000;
/** Characters of all kept lines. As much as fits into the scrollback of a wide window. */
const MAX_LENGTH = 20_000_000;
const REPORT_EVERY_MS = 200;
/** Old commands keep their colour. xterm moves each mark whenever a line is dropped. */
const MAX_COMMAND_MARKS = 500;

const RESET = '\x1b[0m';
const ITALIC = '\x1b[3m';
const CLEAR_LINE = '\r\x1b[2K';

export interface FilterState {
  filter: LevelFilter;
  /** How many lines the filter hides. */
  hidden: number;
}

export interface LineWriterOptions {
  terminal: Terminal;
  /** Whether a line, without colours, is the echo of a command that was sent from here. */
  isEcho: (plain: string) => boolean;
  /** Called with the cursor below a line that is a warning or an error. */
  onWarning: () => void;
  onFiltered: (state: FilterState) => void;
}

/** Writes lines to the terminal, and writes them again if another filter is chosen. */
export class LineWriter {
  readonly #terminal: Terminal;
  readonly #options: LineWriterOptions;
  readonly #kept = createKeptLines({ maxLines: SCROLLBACK_LINES, maxLength: MAX_LENGTH });
  #filter: LevelFilter = 'all';
  #unfinished = '';
  /** The unfinished line that the terminal shows below all others. */
  #unfinishedShown = '';
  readonly #commandMarks: IMarker[] = [];
  #writing = false;
  #disposed = false;
  #report: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LineWriterOptions) {
    this.#options = options;
    this.#terminal = options.terminal;
  }

  add(lines: readonly ConsoleLine[]): void {
    for (const line of lines) this.#kept.add(this.#described(line));
    this.#unfinished = '';
    this.#writeOn();
    if (this.#filter !== 'all') this.#report ??= setTimeout(() => this.#reportFilter(), REPORT_EVERY_MS);
  }

  /** Adds a message of Gamekeeper itself that is not in the log. It is set apart from the server's output. */
  addMessage(text: string): void {
    this.#kept.add({ text: `${GREY}${ITALIC}── ${text} ──`, level: 'info', kind: 'message' });
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
    this.#kept.show(filter);
    this.#startOver();
  }

  clear(): void {
    this.#kept.clear();
    this.#unfinished = '';
    this.#startOver();
  }

  /** Returns all shown lines of the log as plain text. */
  text(): string {
    const inLog = this.#kept.shown().filter(({ kind }) => kind !== 'message');
    return inLog.map(({ text }) => `${stripColours(text)}\n`).join('');
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#report);
  }

  /** In turn with what is written: the terminal may have more to parse. */
  #startOver(): void {
    this.#terminal.write(this.#startLine(), () => {
      this.#terminal.scrollToBottom();
      this.#terminal.clear();
    });
    this.#writeOn();
    this.#reportFilter();
  }

  /** Writes the next piece. Waits until the terminal has parsed the one before, so that a flood cannot pile up there. */
  #writeOn(): void {
    if (this.#writing || this.#disposed) return;
    const lines = this.#kept.take();
    if (lines.length === 0) {
      this.#writeUnfinished();
      return;
    }
    this.#writing = true;
    let pending = this.#startLine();
    for (const line of lines) {
      pending += `${formatLine(line)}${RESET}\r\n`;
      const mark = this.#markFor(line);
      if (!mark) continue;
      // A marker is set relative to the cursor, once everything before it is written.
      this.#terminal.write(pending, mark);
      pending = '';
    }
    this.#terminal.write(pending, () => {
      this.#writing = false;
      this.#writeOn();
    });
  }

  #described({ text, notice }: ConsoleLine): KeptLine {
    const plain = stripColours(text);
    if (notice) return { text, level: levelOf(plain), kind: 'notice' };
    if (this.#options.isEcho(plain)) return { text, level: 'info', kind: 'command' };
    return { text, level: levelOf(plain), kind: 'output' };
  }

  #markFor({ level, kind }: KeptLine): (() => void) | undefined {
    if (kind === 'command') return () => this.#markCommand();
    if (kind !== 'output') return () => markLine(this.#terminal, 'console-notice');
    return level === 'info' ? undefined : this.#options.onWarning;
  }

  #markCommand(): void {
    this.#commandMarks.push(markLine(this.#terminal, 'console-command'));
    if (this.#commandMarks.length > MAX_COMMAND_MARKS) this.#commandMarks.shift()?.dispose();
  }

  #writeUnfinished(): void {
    if (this.#unfinished === this.#unfinishedShown) return;
    this.#terminal.write(`${this.#startLine()}${this.#unfinished.slice(0, this.#terminal.cols)}${RESET}`);
    this.#unfinishedShown = this.#unfinished;
  }

  /** Returns what clears the unfinished line, if one is shown. */
  #startLine(): string {
    const clearing = this.#unfinishedShown === '' ? '' : CLEAR_LINE;
    this.#unfinishedShown = '';
    return clearing;
  }

  #reportFilter(): void {
    clearTimeout(this.#report);
    this.#report = undefined;
    this.#options.onFiltered({ filter: this.#filter, hidden: this.#kept.hidden });
  }
}
