import type { IMarker, Terminal } from '@xterm/xterm';
import { rowsOfLine } from './rows-of-line.ts';

/** Everything that can be scrolled to, as plain text, but for the lines with `leftOut`. */
export function shownText({ buffer: { active } }: Terminal, leftOut: readonly IMarker[]): string {
  const rows = new Set(leftOut.filter((mark) => !mark.isDisposed).map((mark) => mark.line));
  const lines: string[] = [];
  for (let row = 0; row < active.length; ) {
    const { last } = rowsOfLine(active, row);
    let line = '';
    let isLeftOut = false;
    for (; row <= last; row++) {
      line += active.getLine(row)?.translateToString(true) ?? '';
      isLeftOut ||= rows.has(row);
    }
    if (!isLeftOut) lines.push(line);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
