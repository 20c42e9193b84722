import type { Terminal } from '@xterm/xterm';
import type { KeptLine } from './kept-lines.ts';
import { linesBelow, selectedRows } from './rows-of-line.ts';

/** Lines removed at once, because the others move. */
const SPARE_LINES = 10_000;

/** The kept lines behind lines of the terminal, which may fold some. */
interface LineSpan {
  first: KeptLine;
  last: KeptLine;
}

export interface WrittenLinesOptions {
  terminal: Pick<Terminal, 'buffer' | 'getSelectionPosition'>;
  /** Of the terminal's scrollback. */
  maxLines: number;
}

/** What the lines of the terminal stand for. */
export interface WrittenLines {
  add(line: KeptLine): void;
  /** Adds a line to the fold that still grows, which is below all lines. */
  fold(line: KeptLine): void;
  endFold(): void;
  clear(): void;
  /** Returns the first and the last line behind each line with selected text. The terminal must have parsed all lines. */
  selected(): KeptLine[];
}

export function createWrittenLines({ terminal, maxLines }: WrittenLinesOptions): WrittenLines {
  let spans: LineSpan[] = [];
  let growing: LineSpan | undefined;

  function push(span: LineSpan): void {
    spans.push(span);
    // The terminal has those of the screen too.
    if (spans.length >= maxLines + 2 * SPARE_LINES) spans.splice(0, SPARE_LINES);
  }

  /** Below all spans is a line that is empty, an unfinished one, or the fold that still grows. */
  function indexAt(row: number): number {
    const { active } = terminal.buffer;
    return Math.max(0, spans.length - linesBelow(active, row, active.baseY + active.cursorY));
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
      if (!position) return [];
      const rows = selectedRows(position);
      const all = growing ? [...spans, growing] : spans;
      const selected = all.slice(indexAt(rows.first), indexAt(rows.last) + 1);
      return selected.flatMap(({ first, last }) => (first === last ? [first] : [first, last]));
    },
  };
}
