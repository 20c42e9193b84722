import t from 'tap';
import { PrivateKeys } from '../../../../../../workers/supervisor/console/redaction/rules/private-keys.ts';
import { Hits } from '../../../../../../workers/supervisor/console/redaction/scan/hits.ts';
import {
  compileTriggers,
  type Rule,
  type TriggeredRule,
} from '../../../../../../workers/supervisor/console/redaction/scan/triggers.ts';

/** Returns the names of the rules that are asked at a pair of characters. Those in `finding` find something. */
function asked(
  rows: (asking: (name: string) => Rule) => TriggeredRule[],
  pair: string,
  finding: string[] = [],
): string[] {
  const names: string[] = [];
  const asking = (name: string) => () => {
    names.push(name);
    return finding.includes(name) ? 5 : 0;
  };
  const { table, rules } = compileTriggers(rows(asking));
  const number = table[(pair.charCodeAt(1) << 8) | pair.charCodeAt(0)]!;
  if (number > 0) rules[number - 1]!(Buffer.from(pair), 1, new Hits(), new PrivateKeys());
  return names;
}

t.test('asks a rule at each pair of its row, and at no other', async (t) => {
  const rows = (asking: (name: string) => Rule): TriggeredRule[] => [['ab', '=:', asking('rule')]];
  for (const pair of ['a=', 'a:', 'b=', 'b:']) t.same(asked(rows, pair), ['rule'], pair);
  for (const pair of ['=a', 'c=', 'aa']) t.same(asked(rows, pair), [], pair);
});

t.test('asks the rules of a pair in the order of the rows, until one finds something', async (t) => {
  const rows = (asking: (name: string) => Rule): TriggeredRule[] => [
    ['a', '=', asking('first')],
    ['ab', '=', asking('second')],
    ['a', '=', asking('third')],
  ];
  t.same(asked(rows, 'a='), ['first', 'second', 'third']);
  t.same(asked(rows, 'a=', ['second']), ['first', 'second']);
  t.same(asked(rows, 'b='), ['second']);
});

t.test('throws if the table has no numbers left', async (t) => {
  const rows = Array.from({ length: 128 }, (_, n): TriggeredRule => [String.fromCharCode(n), '=', () => 0]);
  t.throws(() => compileTriggers(rows), RangeError);
  t.doesNotThrow(() => compileTriggers(rows.slice(1)));
});
