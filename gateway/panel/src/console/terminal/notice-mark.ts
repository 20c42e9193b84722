import type { Terminal } from '@xterm/xterm';
import { rowsOfLine } from './rows-of-line.ts';

/**
 * Marks the line above the cursor as one of Gamekeeper's own, with a bar beside it. A game can print any text in any colour, but nothing outside
 * of the cells of the terminal.
 */
export function markNotice(terminal: Pick<Terminal, 'buffer' | 'registerMarker' | 'registerDecoration'>): void {
  const { baseY, cursorY } = terminal.buffer.active;
  const { first, last } = rowsOfLine(terminal.buffer.active, baseY + cursorY - 1);
  const marker = terminal.registerMarker(first - (baseY + cursorY));
  const decoration = terminal.registerDecoration({ marker, height: last - first + 1 });
  decoration?.onRender((element) => element.classList.add('console-notice'));
}
