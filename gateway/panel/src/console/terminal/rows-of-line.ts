import type { IBuffer, IBufferRange } from '@xterm/xterm';

type Rows = Pick<IBuffer, 'getLine'>;

/** Returns the first and the last row of the line that contains `row`; a long line wraps over several rows. */
export function rowsOfLine(buffer: Rows, row: number): { first: number; last: number } {
  let first = row;
  while (first > 0 && buffer.getLine(first)?.isWrapped) first--;
  let last = row;
  while (buffer.getLine(last + 1)?.isWrapped) last++;
  return { first, last };
}

/** Returns how many lines start below `row`, down to the row `last`. */
export function linesBelow(buffer: Rows, row: number, last: number): number {
  let count = 0;
  for (let below = row + 1; below <= last; below++) if (!buffer.getLine(below)?.isWrapped) count++;
  return count;
}

/** Returns the first and the last row with selected text. A selection that ends before the first column of a row has none of that row. */
export function selectedRows({ start, end }: IBufferRange): { first: number; last: number } {
  return { first: start.y, last: end.x === 0 && end.y > start.y ? end.y - 1 : end.y };
}
