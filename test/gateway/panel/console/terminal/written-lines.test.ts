import t from 'tap';
import {
  createWrittenLines,
  type WrittenLinesOptions,
} from '../../../../../gateway/panel/src/console/terminal/written-lines.ts';

const SCROLLBACK = 10;
const ROWS = 5;

t.test('the oldest line of the terminal is known, above a scrollback and a screen that are full', async (t) => {
  const terminal = {
    buffer: { active: { baseY: SCROLLBACK, cursorY: ROWS - 1, getLine: () => ({ isWrapped: false }) } },
    getSelectionPosition: () => ({ start: { x: 0, y: 0 }, end: { x: 3, y: 0 } }),
  } as unknown as WrittenLinesOptions['terminal'];
  const written = createWrittenLines({ terminal, maxLines: SCROLLBACK });
  const wrong: number[] = [];
  for (let seq = 1; seq <= 30_000; seq++) {
    written.add({ seq, text: '', level: 'info', kind: 'output' });
    if (seq < SCROLLBACK + ROWS || seq % 10 !== 0) continue;
    const [line] = written.selected();
    // The cursor is in an empty row below it.
    if (line?.seq !== seq - (SCROLLBACK + ROWS - 2)) wrong.push(seq);
  }
  t.same(wrong, []);
});
