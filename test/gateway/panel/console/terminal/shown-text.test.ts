import t from 'tap';
import { shownText } from '../../../../../gateway/panel/src/console/terminal/shown-text.ts';
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

t.test('the shown text joins wrapped rows and drops empty rows at the end', (t) => {
  t.equal(shownText(ROWS, []), 'one\ntwo two two\nthree\n');
  t.end();
});

t.test('the shown text leaves out marked lines, whichever of their rows is marked', (t) => {
  t.equal(shownText(ROWS, [{ isDisposed: false, line: 2 }]), 'one\nthree\n');
  t.equal(
    shownText(ROWS, [{ isDisposed: true, line: 0 }]),
    'one\ntwo two two\nthree\n',
    'a disposed mark does not count',
  );
  t.end();
});
