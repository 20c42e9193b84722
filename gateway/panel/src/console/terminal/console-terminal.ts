import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { type IMarker, Terminal } from '@xterm/xterm';
import type { ConsoleLine } from '../console-connection.ts';
import { withoutColours } from '../strip-colours.ts';
import { scrollByKeys } from './scrolling-keys.ts';
import { shownText } from './shown-text.ts';
import { TERMINAL_THEMES } from './terminal-theme.ts';
import { scrollByTouch } from './touch-scrolling.ts';
import { markTrouble } from './warning-marks.ts';

/** Lines that can be scrolled back to. */
const SCROLLBACK = 100_000;
const FONT = 'ui-monospace, "JetBrains Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** A grey that can still be read, unlike what terminals make of "faint". */
const GREY = '\x1b[90m';
const NOT_GREY = '\x1b[39m';
const CLEAR_LINE = '\r\x1b[2K';
/** The clock at the beginning of a line, in the forms of all servers. */
const TIME = /^((?:\x1b\[[\d;]*m)*)(\[?(?:\d{4}-\d{2}-\d{2} )?\d{2}:\d{2}:\d{2}(?:\.\d+)?\]?)/;
const TROUBLE = /\b(?:WARN|WARNING|ERROR|SEVERE|FATAL)\b|\bException\b/;

export interface SearchState {
  index: number;
  count: number;
}

/** The terminal on the page, and what the console's tools do with it. */
export interface ConsoleTerminal {
  write(lines: readonly ConsoleLine[]): void;
  writeUnfinished(text: string): void;
  /** A word of Gamekeeper's own, set apart from the server's. */
  writeNotice(text: string): void;
  clear(): void;
  search(query: string, direction: 'next' | 'previous'): void;
  endSearch(): void;
  /** Goes to the next warning or error above or below the last one that was gone to, or the end of what is seen; false: there is none. */
  jumpToTrouble(direction: 'next' | 'previous'): boolean;
  scrollToLive(): void;
  setScheme(scheme: 'light' | 'dark'): void;
  /** What a screen reader says of it when it gets the focus. */
  setLabel(label: string): void;
  /** Everything that can be scrolled to, as plain text, without Gamekeeper's own words. */
  text(): string;
  dispose(): void;
}

export interface TerminalEvents {
  onResize: (size: { columns: number; rows: number }) => void;
  /** Whether the newest line is seen. */
  onFollowing: (following: boolean) => void;
  onSearch: (state: SearchState | undefined) => void;
}

export function createConsoleTerminal(
  element: HTMLElement,
  scheme: 'light' | 'dark',
  { onResize, onFollowing, onSearch }: TerminalEvents,
): ConsoleTerminal {
  const terminal = new Terminal({
    allowProposedApi: true,
    convertEol: false,
    cursorBlink: false,
    cursorInactiveStyle: 'none',
    disableStdin: true,
    fontFamily: FONT,
    fontSize: 13,
    lineHeight: 1.25,
    minimumContrastRatio: 4.5,
    scrollback: SCROLLBACK,
    theme: TERMINAL_THEMES[scheme],
  });
  const fit = new FitAddon();
  const search = new SearchAddon({ highlightLimit: 2_000 });
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.open(element);

  let unfinished = false;
  let following = true;
  const trouble = markTrouble(terminal);
  const notices: IMarker[] = [];
  scrollByKeys(terminal, trouble.startAnew);
  const endTouch = scrollByTouch(terminal);

  const checkFollowing = () => {
    const { viewportY, baseY } = terminal.buffer.active;
    if (following === viewportY >= baseY) return;
    following = !following;
    onFollowing(following);
  };
  const resize = () => {
    fit.fit();
    onResize({ columns: terminal.cols, rows: terminal.rows });
  };
  const observer = new ResizeObserver(resize);
  observer.observe(element);
  const listening = [
    terminal.onScroll(checkFollowing),
    terminal.onWriteParsed(checkFollowing),
    search.onDidChangeResults(({ resultIndex, resultCount }) =>
      onSearch({ index: resultIndex + 1, count: resultCount }),
    ),
  ];
  for (const type of ['wheel', 'pointerdown']) element.addEventListener(type, trouble.startAnew, { passive: true });

  function startLine(): string {
    const clearing = unfinished ? CLEAR_LINE : '';
    unfinished = false;
    return clearing;
  }

  return {
    write(lines) {
      let pending = startLine();
      for (const { text } of lines) {
        pending += `${dimmedTime(text)}\x1b[0m\r\n`;
        if (!TROUBLE.test(withoutColours(text))) continue;
        // A marker is set where the cursor is: behind what was written before it.
        terminal.write(pending, trouble.add);
        pending = '';
      }
      if (pending !== '') terminal.write(pending);
    },
    writeUnfinished(text) {
      terminal.write(`${startLine()}${text.slice(0, terminal.cols)}\x1b[0m`);
      unfinished = text !== '';
    },
    writeNotice(text) {
      const notice = `${startLine()}${GREY}\x1b[3m── ${text} ──\x1b[0m\r\n`;
      terminal.write(notice, () => notices.push(terminal.registerMarker(-1)));
    },
    clear: () => terminal.clear(),
    search(query, direction) {
      trouble.startAnew();
      const options = {
        incremental: direction === 'next',
        decorations: {
          matchBackground: '#dcb86255',
          activeMatchBackground: '#dcb862aa',
          matchOverviewRuler: '#dcb862',
          activeMatchColorOverviewRuler: '#5f9e3b',
        },
      };
      if (direction === 'next') search.findNext(query, options);
      else search.findPrevious(query, options);
    },
    endSearch() {
      search.clearDecorations();
      terminal.clearSelection();
      onSearch(undefined);
    },
    jumpToTrouble: trouble.jump,
    scrollToLive() {
      trouble.startAnew();
      terminal.scrollToBottom();
    },
    setScheme(next) {
      terminal.options.theme = TERMINAL_THEMES[next];
    },
    setLabel: (label) => terminal.textarea?.setAttribute('aria-label', label),
    text: () => shownText(terminal, notices),
    dispose() {
      observer.disconnect();
      endTouch();
      for (const each of listening) each.dispose();
      terminal.dispose();
    },
  };
}

/** The colour that the line began with goes on behind the time. */
function dimmedTime(text: string): string {
  return text.replace(TIME, `$1${GREY}$2${NOT_GREY}$1`);
}
