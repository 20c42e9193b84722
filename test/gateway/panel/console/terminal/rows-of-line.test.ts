import t from 'tap';
import {
  linesBelow,
  rowsOfLine,
  selectedRows,
} from '../../../../../gateway/panel/src/console/terminal/rows-of-line.ts';
import type { MarkedTerminal } from '../../../../../gateway/panel/src/console/terminal/warning-marks.ts';

type Buffer = MarkedTerminal['buffer']['active'];

/** A terminal buffer with these rows; a row that starts with "+" continues the one before. */
function buffer(...rows: string[]): Buffer {
  const line = (row: string) => ({
    isWrapped: row.startsWith('+'),
    translateToString: () => row.replace(/^\+/, ''),
  });
  return {
    length: rows.length,
    viewportY: 0,
    getLine: (index: number) => (rows[index] === undefined ? undefined : line(rows[index])),
  } as Buffer;
}

const ROWS = buffer('one', 'two ', '+two ', '+two', 'three', '');

t.test('a wrapped line has all rows from its first to its last', (t) => {
  t.same(rowsOfLine(ROWS, 0), { first: 0, last: 0 });
  for (const row of [1, 2, 3]) t.same(rowsOfLine(ROWS, row), { first: 1, last: 3 }, `row ${row}`);
  t.same(rowsOfLine(buffer('+cut off'), 0), { first: 0, last: 0 }, 'the start of the line may have been dropped');
  t.end();
});

t.test('lines are counted by their first rows', (t) => {
  t.equal(linesBelow(ROWS, 0, 5), 3);
  for (const row of [1, 2, 3]) t.equal(linesBelow(ROWS, row, 5), 2, `row ${row}`);
  t.equal(linesBelow(ROWS, 5, 5), 0);
  t.end();
});

t.test('a selection has no row where it ends before the first column', (t) => {
  const range = (x: number, y: number) => ({ start: { x: 4, y: 2 }, end: { x, y } });
  t.same(selectedRows(range(1, 3)), { first: 2, last: 3 });
  t.same(selectedRows(range(0, 3)), { first: 2, last: 2 });
  t.same(selectedRows(range(0, 2)), { first: 2, last: 2 });
  t.end();
});
