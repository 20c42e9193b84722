import type { IMarker, Terminal } from '@xterm/xterm';
import { linesBelow, rowsOfLine, selectedRows } from './rows-of-line.ts';

export type SelectableTerminal = Pick<
  Terminal,
  'buffer' | 'rows' | 'getSelectionPosition' | 'selectLines' | 'scrollToLine' | 'registerMarker'
>;

/** Selects whole lines with the keyboard. */
export interface KeySelection {
  /**
   * Moves the end of the selection by a line; without a selection, selects the lowest visible line. One that was made in another way grows in
   * this direction. Returns the number of selected lines; `undefined` if there is no line in this direction.
   */
  extend(direction: 'up' | 'down'): number | undefined;
}

export function createKeySelection(terminal: SelectableTerminal): KeySelection {
  /** The row where the selection began. It moves when the oldest lines are dropped, and is -1 once it is one of them. */
  let anchor: IMarker | undefined;

  function setAnchor(row: number): void {
    const { baseY, cursorY } = terminal.buffer.active;
    anchor?.dispose();
    anchor = terminal.registerMarker(row - baseY - cursorY);
  }

  function lowestVisible(): number {
    const { viewportY, baseY, cursorY } = terminal.buffer.active;
    return Math.max(0, Math.min(viewportY + terminal.rows, baseY + cursorY) - 1);
  }

  /** Returns the row where the selection begins, and the one that its end moves to; `undefined` if there is no line in this direction. */
  function target(direction: 'up' | 'down'): { fixed: number; row: number } | undefined {
    const { active } = terminal.buffer;
    const position = terminal.getSelectionPosition();
    if (!position) return { fixed: lowestVisible(), row: lowestVisible() };
    const { first, last } = selectedRows(position);
    const grown = direction === 'up' ? last : first;
    const begin = anchor?.line;
    const fixed = begin === first || begin === last ? begin : grown;
    const end = rowsOfLine(active, fixed === first ? last : first);
    const row = direction === 'up' ? end.first - 1 : end.last + 1;
    return row >= 0 && row < active.baseY + active.cursorY ? { fixed, row } : undefined;
  }

  return {
    extend(direction) {
      const to = target(direction);
      if (!to) return undefined;
      const { fixed, row } = to;
      const { active } = terminal.buffer;
      const [top, bottom] = [rowsOfLine(active, Math.min(row, fixed)), rowsOfLine(active, Math.max(row, fixed))];
      setAnchor(row < fixed ? bottom.last : top.first);
      terminal.selectLines(top.first, bottom.last);
      const { first, last } = rowsOfLine(active, row);
      if (first < active.viewportY) terminal.scrollToLine(first);
      else if (last >= active.viewportY + terminal.rows) terminal.scrollToLine(last - terminal.rows + 1);
      return linesBelow(active, top.first, bottom.last) + 1;
    },
  };
}
