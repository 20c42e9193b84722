import t from 'tap';
import { toReport } from '../../../../../gateway/panel/src/console/log/report.ts';

const SURVIVAL = { name: 'Survival', software: 'Paper 1.21.8', at: Date.UTC(2026, 10, 28, 7, 5, 59) };

t.test('a report is one block of code, which begins with whose lines they are', (t) => {
  t.equal(
    toReport('[12:00:00 ERROR]: broken\n\tat demo\n', SURVIVAL),
    '```\nSurvival · Paper 1.21.8 · 2026-11-28 07:05 UTC\n[12:00:00 ERROR]: broken\n\tat demo\n```\n',
  );
  t.end();
});

t.test('neither a line nor the name can end the block', (t) => {
  for (const report of [toReport('<Steve> ````\n', SURVIVAL), toReport('fine\n', { ...SURVIVAL, name: '````' })]) {
    t.match(report, /^`````\n/);
    t.match(report, /\n`````\n$/);
  }
  t.end();
});
