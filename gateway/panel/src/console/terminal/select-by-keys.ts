import type { Terminal } from '@xterm/xterm';
import { rowsOfLine, selectedRows } from './rows-of-line.ts';

export type SelectableTerminal = Pick<
  Terminal,
  'buffer' | 'rows' | 'getSelectionPosition' | 'selectLines' | 'scrollToLine'
>;

/** Selects whole lines with the keyboard. */
export interface KeySelection {
  /**
   * Moves the end of the selection by a line; without a selection, selects the lowest visible line. One that was made in another way grows in
   * this direction.
   */
  extend(direction: 'up' | 'down'): void;
}

export function createKeySelection(terminal: SelectableTerminal): KeySelection {
  /** The row where the selection began. */
  let anchor: number | undefined;

  function lowestVisible(): number {
    const { viewportY, baseY, cursorY } = terminal.buffer.active;
    return Math.max(0, Math.min(viewportY + terminal.rows, baseY + cursorY) - 1);
  }

  /** Returns the row that the end of the selection moves to; `undefined` if there is no line in this direction. */
  function target(direction: 'up' | 'down'): number | undefined {
    const { active } = terminal.buffer;
    const position = terminal.getSelectionPosition();
    if (!position) {
      anchor = lowestVisible();
      return anchor;
    }
    const { first, last } = selectedRows(position);
    if (anchor !== first && anchor !== last) anchor = direction === 'up' ? last : first;
    const end = rowsOfLine(active, anchor === first ? last : first);
    const row = direction === 'up' ? end.first - 1 : end.last + 1;
    return row >= 0 && row < active.baseY + active.cursorY ? row : undefined;
  }

  return {
    extend(direction) {
      const row = target(direction);
      if (row === undefined || anchor === undefined) return;
      const { active } = terminal.buffer;
      const [from, to] = [rowsOfLine(active, Math.min(row, anchor)), rowsOfLine(active, Math.max(row, anchor))];
      anchor = row < anchor ? to.last : from.first;
      terminal.selectLines(from.first, to.last);
      const { first, last } = rowsOfLine(active, row);
      if (first < active.viewportY) terminal.scrollToLine(first);
      else if (last >= active.viewportY + terminal.rows) terminal.scrollToLine(last - terminal.rows + 1);
    },
  };
}
