import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { type IMarker, Terminal } from '@xterm/xterm';
import type { ConsoleLine } from '../console-connection.ts';
import { dimTime, GREY, isWarning } from './format-line.ts';
import { markNotice } from './notice-mark.ts';
import { scrollByKeys, scrollByTouch } from './scrolling.ts';
import { shownText } from './shown-text.ts';
import { TERMINAL_THEMES } from './terminal-theme.ts';
import { createWarningMarks, type WarningMarks } from './warning-marks.ts';

const SCROLLBACK_LINES = 100_000;
const FONT = 'ui-monospace, "JetBrains Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

const RESET = '\x1b[0m';
const ITALIC = '\x1b[3m';
const CLEAR_LINE = '\r\x1b[2K';

const SEARCH_COLOURS = {
  matchBackground: '#dcb86255',
  activeMatchBackground: '#dcb862aa',
  matchOverviewRuler: '#dcb862',
  activeMatchColorOverviewRuler: '#5f9e3b',
};

export interface SearchState {
  index: number;
  count: number;
}

export interface ConsoleTerminalOptions {
  scheme: 'light' | 'dark';
  onResize: (size: { columns: number; rows: number }) => void;
  /** Whether the newest line is visible. */
  onFollowing: (following: boolean) => void;
  onSearch: (state: SearchState | undefined) => void;
}

/** The terminal on the page: a read-only view of the log with search and jumps to warnings. */
export class ConsoleTerminal {
  readonly #options: ConsoleTerminalOptions;
  readonly #terminal: Terminal;
  readonly #search = new SearchAddon({ highlightLimit: 2_000 });
  readonly #warnings: WarningMarks;
  readonly #notices: IMarker[] = [];
  readonly #cleanups: (() => void)[] = [];
  #unfinished = false;
  #following = true;

  constructor(element: HTMLElement, options: ConsoleTerminalOptions) {
    this.#options = options;
    this.#terminal = new Terminal({
      allowProposedApi: true,
      convertEol: false,
      cursorBlink: false,
      cursorInactiveStyle: 'none',
      disableStdin: true,
      fontFamily: FONT,
      fontSize: 13,
      lineHeight: 1.25,
      minimumContrastRatio: 4.5,
      scrollback: SCROLLBACK_LINES,
      theme: TERMINAL_THEMES[options.scheme],
    });
    this.#terminal.loadAddon(this.#search);
    this.#warnings = createWarningMarks(this.#terminal);
    this.#open(element);
  }

  #open(element: HTMLElement): void {
    const terminal = this.#terminal;
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    terminal.open(element);
    scrollByKeys(terminal, this.#warnings.reset);
    for (const type of ['wheel', 'pointerdown'])
      element.addEventListener(type, this.#warnings.reset, { passive: true });
    const observer = new ResizeObserver(() => {
      fit.fit();
      this.#options.onResize({ columns: terminal.cols, rows: terminal.rows });
    });
    observer.observe(element);
    const listeners = [
      terminal.onScroll(() => this.#checkFollowing()),
      terminal.onWriteParsed(() => this.#checkFollowing()),
      this.#search.onDidChangeResults(({ resultIndex, resultCount }) =>
        this.#options.onSearch({ index: resultIndex + 1, count: resultCount }),
      ),
    ];
    this.#cleanups.push(
      () => observer.disconnect(),
      scrollByTouch(terminal),
      ...listeners.map((each) => () => each.dispose()),
    );
  }

  write(lines: readonly ConsoleLine[]): void {
    let pending = this.#startLine();
    for (const { text, notice } of lines) {
      pending += `${dimTime(text)}${RESET}\r\n`;
      if (!notice && !isWarning(text)) continue;
      // A marker is set relative to the cursor, once everything before it is written.
      this.#terminal.write(pending, notice ? () => markNotice(this.#terminal) : this.#warnings.add);
      pending = '';
    }
    if (pending !== '') this.#terminal.write(pending);
  }

  writeUnfinished(text: string): void {
    this.#terminal.write(`${this.#startLine()}${text.slice(0, this.#terminal.cols)}${RESET}`);
    this.#unfinished = text !== '';
  }

  /** Writes a message of Gamekeeper itself, set apart from the server's output. */
  writeNotice(text: string): void {
    const notice = `${this.#startLine()}${GREY}${ITALIC}── ${text} ──${RESET}\r\n`;
    this.#terminal.write(notice, () => {
      this.#notices.push(this.#terminal.registerMarker(-1));
      markNotice(this.#terminal);
    });
  }

  clear(): void {
    this.#terminal.clear();
  }

  search(query: string, direction: 'next' | 'previous'): void {
    this.#warnings.reset();
    const options = { incremental: direction === 'next', decorations: SEARCH_COLOURS };
    if (direction === 'next') this.#search.findNext(query, options);
    else this.#search.findPrevious(query, options);
  }

  endSearch(): void {
    this.#search.clearDecorations();
    this.#terminal.clearSelection();
    this.#options.onSearch(undefined);
  }

  /** Goes to the next warning or error. Returns false if there is none in that direction. */
  jumpToWarning(direction: 'next' | 'previous'): boolean {
    return this.#warnings.jump(direction);
  }

  scrollToLive(): void {
    this.#warnings.reset();
    this.#terminal.scrollToBottom();
  }

  setScheme(scheme: 'light' | 'dark'): void {
    this.#terminal.options.theme = TERMINAL_THEMES[scheme];
  }

  setLabel(label: string): void {
    this.#terminal.textarea?.setAttribute('aria-label', label);
  }

  /** Returns the whole scrollback as plain text, without notices. */
  text(): string {
    return shownText(this.#terminal.buffer.active, this.#notices);
  }

  dispose(): void {
    for (const cleanup of this.#cleanups) cleanup();
    this.#terminal.dispose();
  }

  /** Returns what clears an unfinished line, if there is one. */
  #startLine(): string {
    const clearing = this.#unfinished ? CLEAR_LINE : '';
    this.#unfinished = false;
    return clearing;
  }

  #checkFollowing(): void {
    const { viewportY, baseY } = this.#terminal.buffer.active;
    if (this.#following === viewportY >= baseY) return;
    this.#following = !this.#following;
    this.#options.onFollowing(this.#following);
  }
}
