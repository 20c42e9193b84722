import type { IBuffer } from '@xterm/xterm';

/** From which row to which the line goes that has this one: a long line is wrapped. */
export function rowsOfLine(buffer: IBuffer, row: number): { first: number; last: number } {
  let first = row;
  while (first > 0 && buffer.getLine(first)?.isWrapped) first--;
  let last = row;
  while (buffer.getLine(last + 1)?.isWrapped) last++;
  return { first, last };
}
