import t from 'tap';
import { changeOf, isWorse, ratiosOf } from './accepted.ts';
import { compared } from './compare.ts';
import { type BenchRow, type RatioOptions, ratioRow } from './row.ts';

t.test('a row of ratios shows the turn with the median ratio, and how far the ratios lie apart', (t) => {
  const turns = [
    { ours: 30, theirs: 10 },
    { ours: 22, theirs: 11 },
    { ours: 10, theirs: 10 },
  ];
  const row = rowOf(turns, { atLeast: 2 });
  t.match(row, { value: 22, reference: 11, ratio: 2, spread: 100, goal: 'ratio at least 2', pass: true });
  t.match(rowOf(turns, { atMost: 1.9 }), { goal: 'ratio at most 1.9', pass: false });
  t.match(rowOf(turns, { valueAtMost: 22 }), { goal: 'at most 22 MB/s', pass: true });
  t.match(rowOf(turns, { valueAtMost: 21 }), { pass: false });
  t.match(rowOf(turns, { moreAtMost: 11 }), { value: 22, goal: 'at most 11 MB/s more', pass: true });
  t.match(rowOf(turns, { moreAtMost: 10 }), { pass: false });
  t.end();
});

t.test('a ratio is compared with the accepted one, unless there is none', (t) => {
  const row = rowOf([{ ours: 3, theirs: 2 }], { atLeast: 1 });
  t.equal(changeOf(row, { 'R1 redaction': 1.2 }), '+25 %');
  t.equal(changeOf(row, { 'R1 redaction': 3 }), '-50 %');
  t.equal(changeOf(row, {}), '');
  t.same(ratiosOf([row, { id: 'R1', what: 'no comparison', value: 1, unit: 's', goal: 'none', pass: true }]), {
    'R1 redaction': 1.5,
  });
  t.end();
});

t.test('a ratio that became worse is named, unless the difference is noise', (t) => {
  const accepted = { 'R1 redaction': 2 };
  const speed = (...ratios: number[]) =>
    rowOf(
      ratios.map((ours) => ({ ours, theirs: 1 })),
      { atLeast: 1 },
    );
  const time = (ratio: number) => rowOf([{ ours: ratio, theirs: 1 }], { atMost: 9 });
  t.equal(isWorse(speed(1.7), accepted, 15), true);
  t.equal(isWorse(speed(1.2, 1.7, 2.2), accepted, 15), false, 'they lie 59 % apart');
  t.equal(isWorse(speed(4), accepted, 15), false);
  t.equal(isWorse(time(2.4), accepted, 15), true);
  t.equal(isWorse(time(2.2), accepted, 15), false);
  t.equal(isWorse(time(1), accepted, 15), false);
  t.equal(isWorse(time(9), {}, 15), false);
  t.end();
});

t.test('two commits are compared by the medians of the rows that both have', (t) => {
  const run = (ratio: number) => [rowOf([{ ours: ratio, theirs: 1 }], { atLeast: 1 })];
  const added: BenchRow = { id: 'X1', what: 'new', value: 1, unit: 's', goal: 'none', pass: true };
  const rows = compared([run(2), run(9), run(2.2)], [[...run(4), added], run(4.4), run(4.8)]);
  t.equal(rows.length, 1, 'the new row has nothing to be compared with');
  t.match(rows[0], { id: 'R1', there: 2.2, here: 4.4, change: '+100 %', spread: 318 });
  t.end();
});

t.test('rows without a ratio are compared by their values', (t) => {
  const run = (value: number): BenchRow[] => [{ id: 'A1', what: 'back', value, unit: 'ms', goal: 'none', pass: true }];
  t.match(compared([run(200)], [run(150)])[0], { unit: 'ms', there: 200, here: 150, change: '-25 %' });
  t.end();
});

function rowOf(turns: { ours: number; theirs: number }[], goal: RatioOptions['goal']): BenchRow {
  return ratioRow({ id: 'R1', what: 'redaction', unit: 'MB/s', comparedWith: 'others', turns, goal });
}
