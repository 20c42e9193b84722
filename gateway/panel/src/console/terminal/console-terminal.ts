import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { type IMarker, Terminal } from '@xterm/xterm';
import type { ConsoleLine } from '../console-connection.ts';
import { stripColours } from '../strip-colours.ts';
import { formatLine, GREY } from './format-line.ts';
import { levelOf } from './line-level.ts';
import { markNotice } from './notice-mark.ts';
import { scrollByKeys, scrollByTouch } from './scrolling.ts';
import { shownText } from './shown-text.ts';
import { type Scheme, searchDecorations, TERMINAL_THEMES, themeWhileSearching } from './terminal-theme.ts';
import { createWarningMarks, type WarningMarks } from './warning-marks.ts';

const SCROLLBACK_LINES = 100_000;
const OWN_FONT = '"JetBrains Mono Variable"';
const SYSTEM_FONTS = 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const FONT_SIZE = 13;

const RESET = '\x1b[0m';
const ITALIC = '\x1b[3m';
const CLEAR_LINE = '\r\x1b[2K';

export interface SearchState {
  index: number;
  count: number;
}

export interface ConsoleTerminalOptions {
  scheme: Scheme;
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
  #scheme: Scheme;
  #searching = false;
  readonly #fit = new FitAddon();
  #disposed = false;
  #unfinished = false;
  #following = true;

  constructor(element: HTMLElement, options: ConsoleTerminalOptions) {
    this.#options = options;
    this.#scheme = options.scheme;
    this.#terminal = new Terminal({
      allowProposedApi: true,
      convertEol: false,
      cursorBlink: false,
      cursorInactiveStyle: 'none',
      disableStdin: true,
      fontFamily: SYSTEM_FONTS,
      fontSize: FONT_SIZE,
      lineHeight: 1.25,
      minimumContrastRatio: 4.5,
      scrollback: SCROLLBACK_LINES,
      theme: TERMINAL_THEMES[options.scheme],
    });
    this.#terminal.loadAddon(this.#search);
    this.#warnings = createWarningMarks(this.#terminal);
    this.#open(element);
    void this.#useOwnFont();
  }

  /** The terminal measures its font when it is set, so that it must have loaded by then. */
  async #useOwnFont(): Promise<void> {
    const loaded = await document.fonts.load(`${FONT_SIZE}px ${OWN_FONT}`).catch(() => []);
    if (loaded.length === 0 || this.#disposed) return;
    this.#terminal.options.fontFamily = `${OWN_FONT}, ${SYSTEM_FONTS}`;
    this.#fill();
  }

  /** Gives the terminal as many rows and columns as there is space for. */
  #fill(): void {
    const { cols } = this.#terminal;
    const selected = this.#terminal.getSelectionPosition();
    this.#fit.fit();
    // xterm drops the selection if the number of rows changes (xtermjs/xterm.js#5300), and a search would begin anew.
    if (selected && cols === this.#terminal.cols && !this.#terminal.hasSelection()) {
      const { start, end } = selected;
      this.#terminal.select(start.x, start.y, (end.y - start.y) * cols + end.x - start.x);
    }
    this.#options.onResize({ columns: this.#terminal.cols, rows: this.#terminal.rows });
  }

  #open(element: HTMLElement): void {
    const terminal = this.#terminal;
    terminal.loadAddon(this.#fit);
    terminal.open(element);
    scrollByKeys(terminal, this.#warnings.reset);
    for (const type of ['wheel', 'pointerdown'])
      element.addEventListener(type, this.#warnings.reset, { passive: true });
    const observer = new ResizeObserver(() => this.#fill());
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
      const level = levelOf(stripColours(text));
      pending += `${formatLine(text, level)}${RESET}\r\n`;
      if (!notice && level === 'info') continue;
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

  /** Selects the newest match, or the one that is still selected while the query grows. */
  search(query: string): void {
    this.#startSearch();
    this.#search.findPrevious(query, { incremental: true, decorations: searchDecorations(this.#scheme) });
  }

  /** Selects the match before (`previous`: older) or after the selected one. */
  searchOn(query: string, direction: 'next' | 'previous'): void {
    this.#startSearch();
    const options = { decorations: searchDecorations(this.#scheme) };
    if (direction === 'next') this.#search.findNext(query, options);
    else this.#search.findPrevious(query, options);
  }

  endSearch(): void {
    this.#searching = false;
    this.#paint();
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

  setScheme(scheme: Scheme): void {
    this.#scheme = scheme;
    this.#paint();
  }

  setLabel(label: string): void {
    this.#terminal.textarea?.setAttribute('aria-label', label);
  }

  /** Returns the whole scrollback as plain text, without notices. */
  text(): string {
    return shownText(this.#terminal.buffer.active, this.#notices);
  }

  dispose(): void {
    this.#disposed = true;
    for (const cleanup of this.#cleanups) cleanup();
    this.#terminal.dispose();
  }

  #startSearch(): void {
    this.#warnings.reset();
    if (this.#searching) return;
    this.#searching = true;
    this.#terminal.clearSelection();
    this.#paint();
  }

  #paint(): void {
    this.#terminal.options.theme = this.#searching ? themeWhileSearching(this.#scheme) : TERMINAL_THEMES[this.#scheme];
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
