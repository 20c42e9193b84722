import t from 'tap';
import { describeCron, upcoming } from '../../../../../../gateway/panel/src/pages/server/schedules/cron-words.ts';

t.test('common times are described in the words of the panel', (t) => {
  const times: Record<string, [en: string, de: string, zh: string]> = {
    '0 * * * *': ['Every hour, on the hour', 'Jede Stunde, zur vollen Stunde', '每小时整点'],
    '15 * * * *': ['Every hour at minute 15', 'Jede Stunde zur Minute 15', '每小时的第 15 分钟'],
    '5 4 * * *': ['Every day at 04:05', 'Jeden Tag um 04:05 Uhr', '每天 04:05'],
    '30 3 * * 0': ['Every Sunday at 03:30', 'Jeden Sonntag um 03:30 Uhr', '每星期日 03:30'],
  };
  for (const [cron, words] of Object.entries(times))
    t.same([describeCron(cron, 'en'), describeCron(cron, 'de'), describeCron(cron, 'zh')], words, cron);
  t.end();
});

t.test('other times are described by cronstrue', (t) => {
  t.equal(describeCron('15 5 */2 * *', 'en'), 'At 05:15, every 2 days in a month');
  t.equal(describeCron('15 5 */2 * *', 'de'), 'Um 05:15, alle 2 Tage');
  const chinese = describeCron('15 5 */2 * *', 'zh') ?? '';
  t.notMatch(chinese, /^在|, /, chinese);
  t.match(chinese, '05:15');
  t.end();
});

t.test('an incomplete or wrong expression has no description and no runs', (t) => {
  for (const cron of ['', '0 4 *', 'every day']) {
    t.equal(describeCron(cron, 'en'), undefined, cron);
    t.same(upcoming(cron, { timeZone: 'UTC', count: 5 }), [], cron);
  }
  t.end();
});

t.test('the next runs are in the given time zone', (t) => {
  const runs = upcoming('30 4 * * *', { timeZone: 'Asia/Kolkata', count: 3 });
  t.equal(runs.length, 3);
  for (const run of runs) t.equal(run.toISOString().slice(11, 16), '23:00');
  t.end();
});

t.test('a time that never comes has no runs and no description', (t) => {
  for (const cron of ['0 0 30 2 *', '99 4 * * *', '0 0 29 2 +1', '0 0 31 2,4 *']) {
    t.same(upcoming(cron, { timeZone: 'UTC', count: 5 }), [], cron);
    for (const language of ['en', 'de', 'zh'] as const) t.equal(describeCron(cron, language), undefined, cron);
  }
  t.end();
});
