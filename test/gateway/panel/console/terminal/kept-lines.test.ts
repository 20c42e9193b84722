import t from 'tap';
import {
  createKeptLines,
  type KeptLine,
  type KeptLines,
} from '../../../../../gateway/panel/src/console/terminal/kept-lines.ts';

const LIMITS = { maxLines: 100_000, maxLength: 1_000_000 };

function line(text: string, level: KeptLine['level'] = 'info', kind: KeptLine['kind'] = 'output'): KeptLine {
  return { seq: 1, text, level, kind };
}

/** Takes all pieces. */
function takeAll(kept: KeptLines): string[] {
  const texts: string[] = [];
  for (let piece = kept.take(); piece.length > 0; piece = kept.take()) texts.push(...piece.map(({ text }) => text));
  return texts;
}

t.test('each line is taken once, in order', (t) => {
  const kept = createKeptLines(LIMITS);
  kept.add(line('one'));
  kept.add(line('two'));
  t.same(takeAll(kept), ['one', 'two']);
  t.same(kept.take(), []);
  kept.add(line('three'));
  t.same(takeAll(kept), ['three']);
  t.end();
});

t.test('a filter starts over with the lines of its levels, and counts the others', (t) => {
  const kept = createKeptLines(LIMITS);
  kept.add(line('fine'));
  kept.add(line('slow', 'warning'));
  kept.add(line('broken', 'error'));
  takeAll(kept);
  const expected = { errors: ['broken'], warnings: ['slow', 'broken'], all: ['fine', 'slow', 'broken'] };
  for (const [filter, texts] of Object.entries(expected)) {
    kept.show(filter as keyof typeof expected);
    t.equal(kept.hidden, 3 - texts.length, filter);
    t.same(takeAll(kept), texts, filter);
    t.same(
      kept.shown().map(({ text }) => text),
      texts,
      filter,
    );
  }
  kept.show('errors');
  kept.add(line('fine again'));
  t.equal(kept.hidden, 3);
  t.same(takeAll(kept), ['broken'], 'new lines are filtered as well');
  t.end();
});

t.test('messages are always shown, and notices like other lines', (t) => {
  const kept = createKeptLines(LIMITS);
  kept.add(line('connection lost', 'info', 'message'));
  kept.add(line('[gamekeeper] stopped', 'info', 'notice'));
  kept.show('errors');
  t.same(takeAll(kept), ['connection lost']);
  t.equal(kept.hidden, 1);
  t.end();
});

t.test('pieces are small, whether lines are many or long', (t) => {
  const kept = createKeptLines(LIMITS);
  for (let number = 0; number < 2_000; number++) kept.add(line(''));
  t.equal(kept.take().length, 500);
  kept.clear();
  for (let number = 0; number < 10; number++) kept.add(line('x'.repeat(30_000)));
  t.equal(kept.take().length, 2);
  t.end();
});

t.test('drops the oldest lines above the limit, whether they were taken or not', (t) => {
  const kept = createKeptLines({ maxLines: 10, maxLength: 1_000_000 });
  const add = (from: number, to: number) => {
    for (let number = from; number <= to; number++) kept.add(line(`${number}`, number % 2 === 0 ? 'warning' : 'info'));
  };
  add(1, 10_009);
  t.equal(kept.take()[0]?.text, '1', 'some more are kept meanwhile');
  add(10_010, 10_010);
  t.same(takeAll(kept), ['10001', '10002', '10003', '10004', '10005', '10006', '10007', '10008', '10009', '10010']);
  kept.show('warnings');
  t.equal(kept.hidden, 5, 'dropped lines are not counted');
  add(10_011, 10_012);
  t.same(takeAll(kept).slice(-2), ['10010', '10012']);
  t.end();
});

t.test('keeps fewer lines if they are long', (t) => {
  const kept = createKeptLines({ maxLines: 1_000, maxLength: 1_000 });
  for (let number = 0; number < 12; number++) kept.add(line(`${number}`.padStart(100)));
  const texts = takeAll(kept).map((text) => text.trim());
  t.equal(texts.at(-1), '11');
  t.ok(texts.length <= 11, `${texts.length} lines`);
  t.end();
});

t.test('nothing is left after clear, but the filter', (t) => {
  const kept = createKeptLines(LIMITS);
  kept.show('errors');
  kept.add(line('fine'));
  kept.clear();
  t.equal(kept.hidden, 0);
  kept.add(line('fine'));
  kept.add(line('broken', 'error'));
  t.same(takeAll(kept), ['broken']);
  t.end();
});
