import type { Terminal } from '@xterm/xterm';
import type { KeptLine } from './kept-lines.ts';
import { linesBelow, selectedRows } from './rows-of-line.ts';

/** Lines removed at once, because the others move. */
const SPARE_LINES = 10_000;

/** The kept lines behind lines of the terminal, which may fold some. */
export interface LineSpan {
  first: KeptLine;
  last: KeptLine;
}

export interface WrittenLinesOptions {
  terminal: Pick<Terminal, 'buffer' | 'getSelectionPosition'>;
  /** Of the terminal. */
  maxLines: number;
}

/** What the lines of the terminal stand for. */
export interface WrittenLines {
  add(line: KeptLine): void;
  /** Adds a line to the fold that still grows, which is below all lines. */
  fold(line: KeptLine): void;
  endFold(): void;
  clear(): void;
  /** Returns what is behind the selected rows. The terminal must have parsed all lines. */
  selected(): LineSpan | undefined;
}

export function createWrittenLines({ terminal, maxLines }: WrittenLinesOptions): WrittenLines {
  let spans: LineSpan[] = [];
  let growing: LineSpan | undefined;

  function push(span: LineSpan): void {
    spans.push(span);
    if (spans.length >= maxLines + SPARE_LINES) spans.splice(0, SPARE_LINES);
  }

  /** The lowest line is empty, an unfinished one, or the fold that still grows. */
  function spanAt(row: number): LineSpan | undefined {
    const { active } = terminal.buffer;
    const below = linesBelow(active, row, active.baseY + active.cursorY);
    return below === 0 ? growing : spans.at(-below);
  }

  return {
    add: (line) => push({ first: line, last: line }),
    fold(line) {
      growing = { first: growing?.first ?? line, last: line };
    },
    endFold() {
      if (growing) push(growing);
      growing = undefined;
    },
    clear() {
      spans = [];
      growing = undefined;
    },
    selected() {
      const position = terminal.getSelectionPosition();
      if (!position) return undefined;
      const rows = selectedRows(position);
      const [from, to] = [spanAt(rows.first), spanAt(rows.last) ?? spans.at(-1)];
      return from && to && { first: from.first, last: to.last };
    },
  };
}
