import t from 'tap';
import {
  createKeySelection,
  type SelectableTerminal,
} from '../../../../../gateway/panel/src/console/terminal/select-by-keys.ts';

/** A terminal of six rows with the cursor in the last one, of which it shows three; a row that starts with "+" continues the one before. */
function createTerminal() {
  const rows = ['one', 'two', '+two', 'three', 'four', ''];
  const active = {
    ...{ baseY: 3, cursorY: 2, viewportY: 3 },
    getLine: (row: number) => rows[row] !== undefined && { isWrapped: rows[row].startsWith('+') },
  };
  const markers = new Set<{ line: number }>();
  let selection: { start: { x: number; y: number }; end: { x: number; y: number } } | undefined;
  const terminal = {
    rows: 3,
    buffer: { active },
    getSelectionPosition: () => selection,
    selectLines(first: number, last: number) {
      selection = { start: { x: 0, y: first }, end: { x: 80, y: last } };
    },
    registerMarker(offset: number) {
      const marker = { line: active.baseY + active.cursorY + offset, dispose: () => void markers.delete(marker) };
      markers.add(marker);
      return marker;
    },
    scrollToLine(row: number) {
      active.viewportY = row;
    },
  };
  return {
    ...createKeySelection(terminal as unknown as SelectableTerminal),
    terminal,
    active,
    markers,
    /** Drops the oldest row, and adds another one. */
    dropOldest() {
      rows.splice(0, 1);
      rows.splice(-1, 0, 'new');
      for (const marker of markers) marker.line = Math.max(-1, marker.line - 1);
      if (selection)
        selection = { start: { x: 0, y: Math.max(0, selection.start.y - 1) }, end: { x: 80, y: selection.end.y - 1 } };
    },
    selected: () => selection && [selection.start.y, selection.end.y],
  };
}

t.test('a selection begins at the lowest visible line, grows and shrinks by whole lines', (t) => {
  const { extend, selected, active } = createTerminal();
  extend('up');
  t.same(selected(), [4, 4]);
  extend('up');
  t.same(selected(), [3, 4]);
  t.equal(extend('up'), 3, 'lines are selected');
  t.same(selected(), [1, 4], 'a wrapped line is one');
  t.equal(active.viewportY, 1, 'scrolls to it');
  extend('down');
  t.same(selected(), [3, 4]);
  extend('down');
  extend('down');
  t.same(selected(), [4, 4], 'the row of the cursor is no line');
  t.equal(extend('down'), undefined);
  for (let line = 0; line < 5; line++) extend('up');
  t.same(selected(), [0, 4]);
  t.equal(active.viewportY, 0);
  t.end();
});

t.test('a selection that was made in another way grows in the direction of the key', (t) => {
  const { extend, selected, terminal } = createTerminal();
  terminal.selectLines(3, 3);
  extend('down');
  t.same(selected(), [3, 4]);
  terminal.selectLines(1, 2);
  extend('up');
  t.same(selected(), [0, 2]);
  extend('down');
  t.same(selected(), [1, 2]);
  t.end();
});

t.test('a selection keeps its fixed end when the oldest lines are dropped', (t) => {
  const { extend, selected, dropOldest, markers } = createTerminal();
  for (let line = 0; line < 3; line++) extend('up');
  t.same(selected(), [1, 4]);
  dropOldest();
  t.same(selected(), [0, 3]);
  extend('down');
  t.same(selected(), [2, 3], 'shrinks from the top');
  dropOldest();
  dropOldest();
  extend('down');
  t.same(selected(), [1, 1]);
  extend('down');
  t.same(selected(), [1, 2]);
  t.equal(markers.size, 1, 'of one row at a time');
  t.end();
});
