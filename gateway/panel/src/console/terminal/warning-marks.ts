import type { IMarker, Terminal } from '@xterm/xterm';
import { rowsOfLine } from './rows-of-line.ts';

/** Warnings and errors that can be jumped to; the oldest are let go of. */
const MOST_MARKS = 2_000;

/** The warnings and errors of a terminal, and the one that was jumped to last. Markers: their rows change as old lines go. */
export interface TroubleMarks {
  /** Marks the line before the cursor. */
  add(): void;
  /** Selects the next one above or below, and scrolls where it is out of sight; false: there is none. */
  jump(direction: 'next' | 'previous'): boolean;
  /** The next jump begins at the bottom of what is seen: somebody has gone elsewhere meanwhile. */
  startAnew(): void;
}

export function markTrouble(terminal: Terminal): TroubleMarks {
  const marks: IMarker[] = [];
  let reached: IMarker | undefined;

  return {
    add() {
      marks.push(terminal.registerMarker(-1));
      if (marks.length > MOST_MARKS) marks.shift()?.dispose();
    },
    jump(direction) {
      const { viewportY } = terminal.buffer.active;
      const behindSeen = viewportY + terminal.rows;
      const position = reached && !reached.isDisposed ? reached.line : undefined;
      const known = marks.filter((mark) => !mark.isDisposed);
      const target =
        direction === 'previous'
          ? known.findLast(({ line }) => line < (position ?? behindSeen))
          : known.find(({ line }) => line > (position ?? behindSeen - 1));
      if (!target) return false;
      reached = target;
      const { first, last } = rowsOfLine(terminal.buffer.active, target.line);
      if (first < viewportY || last >= behindSeen) terminal.scrollToLine(first);
      terminal.selectLines(first, last);
      return true;
    },
    startAnew() {
      reached = undefined;
    },
  };
}
