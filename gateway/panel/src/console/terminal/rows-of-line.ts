import type { IBuffer } from '@xterm/xterm';

/** Returns the first and the last row of the line that contains `row`; a long line wraps over several rows. */
export function rowsOfLine(buffer: Pick<IBuffer, 'getLine'>, row: number): { first: number; last: number } {
  let first = row;
  while (first > 0 && buffer.getLine(first)?.isWrapped) first--;
  let last = row;
  while (buffer.getLine(last + 1)?.isWrapped) last++;
  return { first, last };
}
