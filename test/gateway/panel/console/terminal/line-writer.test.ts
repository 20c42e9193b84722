import t from 'tap';
import type { ConsoleLine } from '../../../../../gateway/panel/src/console/console-connection.ts';
import {
  type FilterState,
  LineWriter,
  type LineWriterOptions,
} from '../../../../../gateway/panel/src/console/terminal/line-writer.ts';

const CODES = /\x1b\[[\d;]*m|\x1b\]8;;[^\x1b]*\x1b\\/g;

/** As much of a terminal as a writer needs. It parses one write at a time, when it is told. */
function createTerminal() {
  const waiting: { text: string; then: (() => void) | undefined }[] = [];
  let rows: string[] = [''];
  let selection: { start: { x: number; y: number }; end: { x: number; y: number } } | undefined;
  const buffer = {
    active: {
      baseY: 0,
      viewportY: 0,
      get cursorY() {
        return rows.length - 1;
      },
      getLine: () => ({ isWrapped: false }),
    },
  };
  const terminal = {
    cols: 80,
    buffer,
    write: (text: string, then?: () => void) => void waiting.push({ text, then }),
    clear() {
      rows = [rows.at(-1)!];
    },
    scrollToBottom: () => {},
    scrollToLine(line: number) {
      buffer.active.viewportY = line;
    },
    getSelectionPosition: () => selection,
    registerMarker: () => ({ dispose: () => {} }),
    registerDecoration: () => ({ onRender: () => {} }),
  };
  return {
    terminal: terminal as unknown as LineWriterOptions['terminal'],
    buffer,
    waiting,
    select(first: number, last: number) {
      selection = { start: { x: 3, y: first }, end: { x: 5, y: last } };
    },
    /** Parses all writes. Returns the rows, without the last one if it is empty. */
    screen(): string[] {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [first = '', ...others] = next.text.replaceAll(CODES, '').split('\r\n');
        rows.push(rows.pop() + first, ...others);
        rows = rows.map((row) => row.split('\r\x1b[2K').at(-1)!);
        next.then?.();
      }
      return rows.at(-1) === '' ? rows.slice(0, -1) : rows;
    },
  };
}

function createWriter() {
  const states: FilterState[] = [];
  let warnings = 0;
  const screen = createTerminal();
  const writer = new LineWriter({
    terminal: screen.terminal,
    isEcho: (plain) => plain === '> list',
    foldText: (count) => `${count} more`,
    onWarning: () => void warnings++,
    onFiltered: (state) => void states.push(state),
  });
  let seq = 0;
  const add = (...texts: string[]) => writer.add(texts.map((text): ConsoleLine => ({ seq: ++seq, at: '', text })));
  return { ...screen, writer, states, add, warnings: () => warnings };
}

const frames = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `\tat frame ${from + n}`);

t.test('waits until the terminal has parsed a piece', (t) => {
  const { add, waiting, screen } = createWriter();
  for (let number = 1; number <= 2_000; number++) add(`line ${number}`);
  t.ok(waiting.length <= 2, `${waiting.length} writes`);
  t.equal(screen().length, 2_000);
  t.equal(screen()[1_999], 'line 2000');
  t.end();
});

t.test('an unfinished line stays below all others until a line replaces it', (t) => {
  const { add, writer, screen } = createWriter();
  add('one');
  writer.setUnfinished('> ');
  t.same(screen(), ['one', '> ']);
  writer.show('errors');
  t.same(screen(), ['> ']);
  writer.show('all');
  t.same(screen(), ['one', '> ']);
  writer.setUnfinished('> l');
  t.same(screen(), ['one', '> l']);
  add('two');
  t.same(screen(), ['one', 'two']);
  t.end();
});

t.test('another filter replaces what is written, and what waits to be parsed', (t) => {
  const { add, writer, screen, states, warnings } = createWriter();
  add('fine', 'ERROR: broken', '> list');
  writer.addMessage('lost');
  writer.show('errors');
  add('fine too', 'ERROR: broken again');
  t.same(screen(), ['ERROR: broken', '── lost ──', 'ERROR: broken again']);
  t.match(states.at(-1), { filter: 'errors', hidden: 2, folding: true });
  t.equal(writer.text(), 'ERROR: broken\nERROR: broken again\n', 'messages are not in the log');
  t.equal(warnings(), 3, 'two that are shown, one of them twice');
  writer.show('all');
  t.match(states.at(-1), { filter: 'all', hidden: 0 });
  t.same(screen(), ['fine', 'ERROR: broken', '> list', '── lost ──', 'fine too', 'ERROR: broken again']);
  writer.clear();
  t.same(screen(), []);
  writer.dispose();
  t.end();
});

t.test('a fold grows with its stack trace, and ends with it', (t) => {
  const { add, writer, screen } = createWriter();
  add('java.lang.Exception: x', ...frames(1, 4));
  t.same(screen(), ['java.lang.Exception: x', ...frames(1, 2), '    ▸ 2 more']);
  add(...frames(5, 5));
  t.same(screen(), ['java.lang.Exception: x', ...frames(1, 2), '    ▸ 3 more']);
  add('Caused by: y', ...frames(6, 7), 'end');
  const folded = ['java.lang.Exception: x', ...frames(1, 2), '    ▸ 3 more', 'Caused by: y', ...frames(6, 7), 'end'];
  t.same(screen(), folded);
  t.match(writer.text(), 'frame 5', 'copies all');
  writer.fold(false);
  t.notMatch(screen(), ['▸']);
  t.equal(screen().length, 10);
  writer.fold(true);
  t.same(screen(), folded);
  t.end();
});

t.test('a fold stays above an unfinished line', (t) => {
  const { add, writer, screen } = createWriter();
  add(...frames(1, 4));
  screen();
  writer.setUnfinished('> ');
  t.same(screen(), [...frames(1, 2), '    ▸ 2 more', '> ']);
  add('next');
  t.same(screen(), [...frames(1, 2), '    ▸ 2 more', 'next']);
  t.end();
});

t.test('unfolds one stack trace and stays where the user is', (t) => {
  const { add, writer, screen, buffer } = createWriter();
  add(...frames(1, 4), 'between', ...frames(5, 8), 'end');
  screen();
  buffer.active.viewportY = 3;
  writer.unfold('frames:6');
  t.same(screen(), [...frames(1, 2), '    ▸ 2 more', 'between', ...frames(5, 8), 'end']);
  t.equal(buffer.active.viewportY, 3);
  t.end();
});

t.test('shows stack traces in full if a text is in a folded line', (t) => {
  const { add, writer, screen, states } = createWriter();
  const shown: string[] = [];
  const reveal = (text: string) => writer.reveal(text, () => void shown.push(text));
  add(...frames(1, 4), 'a frame 5', ...frames(6, 7));
  const folded = screen();
  for (const text of ['frame 1', 'frame 5', 'frame 7', 'none']) reveal(text);
  t.same(shown.splice(0), ['frame 1', 'frame 5', 'frame 7', 'none'], 'none of these is folded');
  t.same(screen(), folded);

  reveal('FRAME 4');
  reveal('frame 4');
  t.same(shown, [], 'it is not written yet');
  t.same(screen(), [...frames(1, 4), 'a frame 5', ...frames(6, 7)]);
  t.same(shown.splice(0), ['frame 4'], 'the last one counts');
  t.match(states.at(-1), { folding: false });
  reveal('frame 3');
  t.same(shown, ['frame 3']);
  t.end();
});

t.test('selected lines are whole, with those between them that are folded or hidden', async (t) => {
  const { add, writer, screen, select } = createWriter();
  const selected = () => {
    const text = writer.selectedText();
    screen();
    return text;
  };
  t.equal(await selected(), '', 'nothing is selected');
  add('fine', '\x1b[31mERROR: broken\x1b[m', ...frames(1, 4));
  screen();
  // Ends the fold.
  writer.setUnfinished('\tat fra');
  screen();
  add(...frames(5, 9), 'fine too', 'ERROR: again');
  writer.addMessage('lost');
  const folds = [...frames(1, 2), '    ▸ 2 more', ...frames(5, 6), '    ▸ 3 more'];
  t.same(screen(), ['fine', 'ERROR: broken', ...folds, 'fine too', 'ERROR: again', '── lost ──']);
  select(1, 1);
  t.equal(await selected(), 'ERROR: broken\n', 'without colours');
  select(4, 4);
  t.equal(await selected(), '\tat frame 3\n\tat frame 4\n', 'what is folded there');
  select(7, 10);
  t.equal(await selected(), `${[...frames(7, 9), 'fine too', 'ERROR: again'].join('\n')}\n`, 'no messages');
  writer.show('errors');
  screen();
  select(2, 4);
  t.match(await selected(), /frame 9\nfine too\nERROR: again\n$/, 'what the filter hides');
  t.match(writer.text(), /frame 9\nERROR: again\n$/, 'those that are shown');
  t.equal(writer.newest(2), 'fine too\nERROR: again\n', 'the newest of all');
  writer.clear();
  t.equal(await selected(), '');
  t.end();
});

t.test('selected lines are read before more is written', async (t) => {
  const { add, writer, screen, select } = createWriter();
  add('one', 'two');
  const text = writer.selectedText();
  select(1, 1);
  add('three', 'four');
  t.equal(screen().length, 4);
  t.equal(await text, 'two\n');
});

t.test('selected lines that are too old for another filter are still shared', async (t) => {
  const { add, writer, screen, select } = createWriter();
  const selected = () => {
    const text = writer.selectedText();
    screen();
    return text;
  };
  writer.show('errors');
  add('ERROR: old');
  add(...Array.from({ length: 110_000 }, () => 'fine'), 'fine as well', 'ERROR: new');
  t.same(screen(), ['ERROR: old', 'ERROR: new']);
  select(0, 0);
  t.equal(await selected(), 'ERROR: old\n');
  select(0, 1);
  const lines = (await selected()).split('\n');
  t.same([lines[0], ...lines.slice(-3)], ['ERROR: old', 'fine as well', 'ERROR: new', '']);
});
