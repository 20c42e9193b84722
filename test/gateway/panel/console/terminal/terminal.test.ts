import t from 'tap';
import { dimTime, isWarning } from '../../../../../gateway/panel/src/console/terminal/format-line.ts';
import { rowsOfLine } from '../../../../../gateway/panel/src/console/terminal/rows-of-line.ts';
import { shownText } from '../../../../../gateway/panel/src/console/terminal/shown-text.ts';
import {
  createWarningMarks,
  type MarkedTerminal,
} from '../../../../../gateway/panel/src/console/terminal/warning-marks.ts';

type Buffer = MarkedTerminal['buffer']['active'];
type Marker = ReturnType<MarkedTerminal['registerMarker']>;

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

const GREY = '\x1b[90m';
const DEFAULT = '\x1b[39m';

t.test('the time at the start of a line is grey, in every format', (t) => {
  for (const time of ['[12:34:56]', '12:34:56', '[2026-11-20 12:34:56]', '[12:34:56.789]'])
    t.equal(dimTime(`${time} hello`), `${GREY}${time}${DEFAULT} hello`, time);
  t.equal(dimTime('hello at 12:34:56'), 'hello at 12:34:56', 'only a time at the start is dimmed');
  t.end();
});

t.test("the line's colour continues after the time", (t) => {
  t.equal(dimTime('\x1b[33m[12:34:56] hello'), `\x1b[33m${GREY}[12:34:56]${DEFAULT}\x1b[33m hello`);
  t.end();
});

t.test('recognises warnings and errors, also with colours in between', (t) => {
  for (const text of [
    '[12:00:00 WARN]: slow',
    '[main/ERROR]: x',
    'SEVERE: x',
    'java.lang.Exception: x',
    'caused by Exception',
    '\x1b[31mFA\x1b[0mTAL',
  ])
    t.ok(isWarning(text), text);
  for (const text of ['[INFO]: Warned nobody', 'ERRORS', 'an exceptional day']) t.notOk(isWarning(text), text);
  t.end();
});

const ROWS = buffer('one', 'two ', '+two ', '+two', 'three', '');

t.test('a wrapped line has all rows from its first to its last', (t) => {
  t.same(rowsOfLine(ROWS, 0), { first: 0, last: 0 });
  for (const row of [1, 2, 3]) t.same(rowsOfLine(ROWS, row), { first: 1, last: 3 }, `row ${row}`);
  t.same(rowsOfLine(buffer('+cut off'), 0), { first: 0, last: 0 }, 'the start of the line may have been dropped');
  t.end();
});

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

/** A terminal of 100 lines that shows ten, with warnings at these lines. */
function terminalWith(warnings: number[], viewportY: number) {
  const rows = Array.from({ length: 100 }, (_, line) => `line ${line}`);
  const active = Object.assign(buffer(...rows), { viewportY });
  const markers: { line: number; isDisposed: boolean }[] = [];
  const pending = [...warnings];
  const scrolled: number[] = [];
  const selected: number[] = [];
  const terminal = {
    rows: 10,
    buffer: { active },
    registerMarker() {
      const marker = { line: pending.shift() ?? 0, isDisposed: false, dispose: () => undefined };
      marker.dispose = () => void Object.assign(marker, { isDisposed: true });
      markers.push(marker);
      return marker as unknown as Marker;
    },
    scrollToLine: (line: number) => scrolled.push(line),
    selectLines: (first: number) => selected.push(first),
  } as unknown as MarkedTerminal;
  const marks = createWarningMarks(terminal);
  for (const _warning of warnings) marks.add();
  return { marks, active, markers, scrolled, selected };
}

t.test('the first jump back goes to the last warning that is visible or above', (t) => {
  const { marks, selected, scrolled } = terminalWith([5, 92, 97], 85);
  for (let jump = 0; jump < 3; jump++) marks.jump('previous');
  t.same(selected, [92, 5]);
  t.same(scrolled, [5], 'it scrolls only if the warning is out of sight');
  t.end();
});

t.test('jumps go back and forth from the current warning', (t) => {
  const { marks, selected } = terminalWith([5, 50, 95], 90);
  t.ok(marks.jump('previous'));
  t.ok(marks.jump('previous'));
  t.ok(marks.jump('next'));
  t.notOk(marks.jump('next'), 'no mark after the last one');
  t.same(selected, [95, 50, 95]);
  t.end();
});

t.test('after a reset the next jump starts from the visible rows', (t) => {
  const { marks, active, selected } = terminalWith([5, 25, 50, 95], 90);
  marks.jump('previous');
  active.viewportY = 20;
  marks.reset();
  marks.jump('next');
  t.same(selected, [95, 50], 'continues below them');
  t.end();
});

t.test('a warning whose line was dropped is skipped', (t) => {
  const { marks, markers, selected } = terminalWith([5, 50], 90);
  Object.assign(markers[1] ?? {}, { isDisposed: true });
  marks.jump('previous');
  t.same(selected, [5]);
  t.end();
});

t.test('keeps at most 2,000 marks', (t) => {
  const { marks, markers } = terminalWith([], 0);
  for (let mark = 0; mark <= 2_000; mark++) marks.add();
  t.equal(markers.filter(({ isDisposed }) => isDisposed).length, 1);
  t.ok(markers[0]?.isDisposed, 'the oldest mark is dropped first');
  t.end();
});
