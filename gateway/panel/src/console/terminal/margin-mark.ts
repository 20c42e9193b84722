import type { IMarker, Terminal } from '@xterm/xterm';
import { rowsOfLine } from './rows-of-line.ts';

/** Gamekeeper's own lines have a bar, the user's commands an arrow (console.css). */
export type MarginMark = 'console-notice' | 'console-command';

/**
 * Marks the line above the cursor in the margin beside it. A game can print any text in any colour, but nothing outside of the cells of the
 * terminal. The mark is gone once the marker is disposed.
 */
export function markLine(
  terminal: Pick<Terminal, 'buffer' | 'registerMarker' | 'registerDecoration'>,
  mark: MarginMark,
): IMarker {
  const { baseY, cursorY } = terminal.buffer.active;
  const { first, last } = rowsOfLine(terminal.buffer.active, baseY + cursorY - 1);
  const marker = terminal.registerMarker(first - (baseY + cursorY));
  const decoration = terminal.registerDecoration({ marker, height: last - first + 1 });
  decoration?.onRender((element) => element.classList.add(mark));
  return marker;
}
