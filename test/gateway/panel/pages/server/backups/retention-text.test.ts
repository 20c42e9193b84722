import t from 'tap';
import { describeRules } from '../../../../../../gateway/panel/src/pages/server/backups/retention-text.ts';

t.test('every rule is a phrase with its time span', (t) => {
  const rules = { count: 5, days: 1, daily: 7, weekly: 4, monthly: 12 };
  t.same(describeRules(rules, 'en'), [
    'the newest 5',
    'all up to 1 day old',
    'one per day for 7 days',
    'one per week for 4 weeks',
    'one per month for 12 months',
  ]);
  t.same(describeRules(rules, 'de').slice(0, 3), [
    'die 5 neuesten',
    'alle, die höchstens 1 Tag alt sind',
    'eine pro Tag, 7 Tage lang',
  ]);
  t.match(describeRules(rules, 'zh')[1], /^最近1\s*天内的全部备份$/);
  t.end();
});

t.test('a rule that is not set has no phrase', (t) => {
  t.same(describeRules({}, 'en'), []);
  t.same(describeRules({ weekly: 1 }, 'en'), ['one per week for 1 week']);
  t.same(describeRules({ count: 1 }, 'en'), ['the newest']);
  t.end();
});
