import { FitAddon } from '@xterm/addon-fit';
import { type ISearchOptions, SearchAddon } from '@xterm/addon-search';
import { Terminal } from '@xterm/xterm';
import type { LevelFilter } from './kept-lines.ts';
import { type FilterState, LineWriter, SCROLLBACK_LINES } from './line-writer.ts';
import { scrollByKeys, scrollByTouch } from './scrolling.ts';
import { createKeySelection } from './select-by-keys.ts';
import { type Scheme, searchDecorations, TERMINAL_THEMES, themeWhileSearching } from './terminal-theme.ts';
import { createWarningMarks, type WarningMarks } from './warning-marks.ts';

const OWN_FONT = '"JetBrains Mono Variable"';
const SYSTEM_FONTS = 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const FONT_SIZE = 13;

export interface SearchState {
  index: number;
  count: number;
}

export interface ConsoleTerminalOptions {
  scheme: Scheme;
  /** Whether a line, without colours, is the echo of a command that was sent from here. */
  isEcho: (plain: string) => boolean;
  foldText: (count: number) => string;
  onResize: (size: { columns: number; rows: number }) => void;
  /** Whether the newest line is visible. */
  onFollowing: (following: boolean) => void;
  onSearch: (state: SearchState | undefined) => void;
  onFiltered: (state: FilterState) => void;
  /** Whether the user has selected text. */
  onSelected: (selected: boolean) => void;
  /** Called with the number of lines that the user has selected with the keyboard. */
  onSelectedByKeys: (count: number) => void;
}

/** The terminal on the page: a read-only view of the log with search and jumps to warnings. */
export class ConsoleTerminal {
  /** What the terminal shows. */
  readonly lines: LineWriter;
  readonly #options: ConsoleTerminalOptions;
  readonly #terminal: Terminal;
  readonly #search = new SearchAddon({ highlightLimit: 2_000 });
  readonly #warnings: WarningMarks;
  readonly #cleanups: (() => void)[] = [];
  #scheme: Scheme;
  #searching = false;
  readonly #fit = new FitAddon();
  /** Pixels at the bottom. */
  #covered = 0;
  #disposed = false;
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
      linkHandler: { activate: (_event, link) => this.#unfold(link), allowNonHttpProtocols: true },
      minimumContrastRatio: 4.5,
      scrollback: SCROLLBACK_LINES,
      theme: TERMINAL_THEMES[options.scheme],
    });
    this.#terminal.loadAddon(this.#search);
    this.#warnings = createWarningMarks(this.#terminal);
    this.lines = new LineWriter({
      terminal: this.#terminal,
      isEcho: options.isEcho,
      foldText: options.foldText,
      onWarning: this.#warnings.add,
      onFiltered: options.onFiltered,
    });
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
      // xterm reports the drop, but not the same selection once more.
      this.#options.onSelected(this.#hasSelection());
    }
    this.#options.onResize({ columns: this.#terminal.cols, rows: this.#terminal.rows });
  }

  #open(element: HTMLElement): void {
    const terminal = this.#terminal;
    terminal.loadAddon(this.#fit);
    terminal.open(element);
    const selection = createKeySelection(terminal);
    scrollByKeys(terminal, {
      onScroll: this.#warnings.reset,
      onSelect: (direction) => {
        const count = this.#searching ? undefined : selection.extend(direction);
        if (count !== undefined) this.#options.onSelectedByKeys(count);
      },
    });
    for (const type of ['wheel', 'pointerdown'])
      element.addEventListener(type, this.#warnings.reset, { passive: true });
    const observer = new ResizeObserver(() => this.#fill());
    observer.observe(element);
    const listeners = [
      terminal.onScroll(() => this.#checkFollowing()),
      terminal.onWriteParsed(() => {
        this.#checkFollowing();
        if (this.#covered > 0) this.#moveUp();
        // xterm does not report that the selected lines are too old and were dropped.
        this.#options.onSelected(this.#hasSelection());
      }),
      terminal.onSelectionChange(() => this.#options.onSelected(this.#hasSelection())),
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

  filter(filter: LevelFilter): void {
    this.#startOver();
    this.lines.show(filter);
  }

  /** Folds stack traces, or shows all of them in full. */
  fold(folding: boolean): void {
    this.#startOver();
    this.lines.fold(folding);
  }

  /** Selects the newest match, or the one that is still selected while the query grows. */
  search(query: string): void {
    this.#find(query, (options) => this.#search.findPrevious(query, { ...options, incremental: true }));
  }

  /** Selects the match before (`previous`: older) or after the selected one. */
  searchOn(query: string, direction: 'next' | 'previous'): void {
    this.#find(query, (options) =>
      direction === 'next' ? this.#search.findNext(query, options) : this.#search.findPrevious(query, options),
    );
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

  /** Returns the selected text, exactly as it is shown. A match of the search does not count. */
  selection(): string | undefined {
    return this.#hasSelection() ? this.#terminal.getSelection() : undefined;
  }

  /** Moves the newest line above what covers the lowest `pixels`. A smaller terminal would make the game draw its lines anew. */
  cover(pixels: number): void {
    this.#covered = pixels;
    this.#moveUp();
  }

  setScheme(scheme: Scheme): void {
    this.#scheme = scheme;
    this.#paint();
  }

  setLabel(label: string): void {
    this.#terminal.textarea?.setAttribute('aria-label', label);
  }

  dispose(): void {
    this.#disposed = true;
    this.lines.dispose();
    for (const cleanup of this.#cleanups) cleanup();
    this.#terminal.dispose();
  }

  #unfold(link: string): void {
    this.#startOver();
    this.lines.unfold(link);
  }

  #hasSelection(): boolean {
    return !this.#searching && this.#terminal.hasSelection();
  }

  #startOver(): void {
    this.#warnings.reset();
    this.#terminal.clearSelection();
  }

  /** Searches in all lines, also those that were folded. */
  #find(query: string, find: (options: ISearchOptions) => void): void {
    this.#startSearch();
    const unfolds = this.lines.reveal(query, () => {
      if (this.#searching) find({ decorations: searchDecorations(this.#scheme) });
    });
    if (unfolds) this.#startOver();
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

  #moveUp(): void {
    const { element, rows, buffer } = this.#terminal;
    const screen = element?.querySelector('.xterm-screen');
    if (!element?.parentElement || !screen) return;
    const used = ((buffer.active.cursorY + 1) * screen.clientHeight) / rows;
    const free = element.parentElement.clientHeight - used;
    const up = this.#covered === 0 ? 0 : Math.max(0, this.#covered - free);
    element.style.transform = up === 0 ? '' : `translateY(${-up}px)`;
  }

  #checkFollowing(): void {
    const { viewportY, baseY } = this.#terminal.buffer.active;
    if (this.#following === viewportY >= baseY) return;
    this.#following = !this.#following;
    this.#options.onFollowing(this.#following);
  }
}
