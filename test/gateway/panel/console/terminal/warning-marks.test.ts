import t from 'tap';
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
