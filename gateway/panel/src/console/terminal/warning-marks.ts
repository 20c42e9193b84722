import type { IMarker, Terminal } from '@xterm/xterm';
import { rowsOfLine } from './rows-of-line.ts';

const MAX_MARKS = 2_000;

/** The warnings and errors in a terminal. Kept as xterm markers, which follow their lines when old lines are dropped. */
export interface WarningMarks {
  /** Marks the line above the cursor. */
  add(): void;
  /** Selects the next mark and scrolls to it if it is out of sight. Returns false if there is none in that direction. */
  jump(direction: 'next' | 'previous'): boolean;
  /** Makes the next jump start at the bottom of the visible rows, after the user has scrolled. */
  reset(): void;
}

export type MarkedTerminal = Pick<Terminal, 'buffer' | 'rows' | 'registerMarker' | 'scrollToLine' | 'selectLines'>;

export function createWarningMarks(terminal: MarkedTerminal): WarningMarks {
  const marks: IMarker[] = [];
  let current: IMarker | undefined;

  return {
    add() {
      marks.push(terminal.registerMarker(-1));
      if (marks.length > MAX_MARKS) marks.shift()?.dispose();
    },
    jump(direction) {
      const { viewportY } = terminal.buffer.active;
      const viewportEnd = viewportY + terminal.rows;
      const position = current && !current.isDisposed ? current.line : undefined;
      const known = marks.filter((mark) => !mark.isDisposed);
      const target =
        direction === 'previous'
          ? known.findLast(({ line }) => line < (position ?? viewportEnd))
          : known.find(({ line }) => line > (position ?? viewportEnd - 1));
      if (!target) return false;
      current = target;
      const { first, last } = rowsOfLine(terminal.buffer.active, target.line);
      if (first < viewportY || last >= viewportEnd) terminal.scrollToLine(first);
      terminal.selectLines(first, last);
      return true;
    },
    reset() {
      current = undefined;
    },
  };
}
