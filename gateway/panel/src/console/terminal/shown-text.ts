import type { IBuffer, IMarker } from '@xterm/xterm';
import { rowsOfLine } from './rows-of-line.ts';

/** Returns the whole buffer as plain text, without the lines that have a marker in `excluded`. */
export function shownText(
  buffer: Pick<IBuffer, 'getLine' | 'length'>,
  excluded: readonly Pick<IMarker, 'isDisposed' | 'line'>[],
): string {
  const excludedRows = new Set(excluded.filter((marker) => !marker.isDisposed).map((marker) => marker.line));
  const lines: string[] = [];
  for (let row = 0; row < buffer.length; ) {
    const { last } = rowsOfLine(buffer, row);
    let line = '';
    let isExcluded = false;
    for (; row <= last; row++) {
      line += buffer.getLine(row)?.translateToString(true) ?? '';
      isExcluded ||= excludedRows.has(row);
    }
    if (!isExcluded) lines.push(line);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
