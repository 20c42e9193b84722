import t from 'tap';
import type { Schedule } from '../../../../../../gateway/panel/src/api/schedules.ts';
import { describeCron, upcoming } from '../../../../../../gateway/panel/src/pages/server/schedules/cron-words.ts';
import {
  fromScheduleValues,
  toScheduleValues,
} from '../../../../../../gateway/panel/src/pages/server/schedules/schedule-values.ts';
import {
  cronOf,
  dayName,
  simpleTimeOf,
  WEEK_DAYS,
} from '../../../../../../gateway/panel/src/pages/server/schedules/simple-time.ts';

t.test('common expressions become a simple time and back', (t) => {
  const times = {
    '15 * * * *': { every: 'hour', minute: 15 },
    '5 4 * * *': { every: 'day', time: '04:05' },
    '30 23 * * 6': { every: 'week', day: '6', time: '23:30' },
  } as const;
  for (const [cron, simple] of Object.entries(times)) {
    t.same(simpleTimeOf(cron), simple);
    t.equal(cronOf(simple), cron);
  }
  t.same(simpleTimeOf(' 0 4 * * 7 '), { every: 'week', day: '0', time: '04:00' }, 'Sunday is 0 and 7');
  t.end();
});

t.test('other expressions are no simple time', (t) => {
  for (const cron of ['*/5 * * * *', '0 4 1 * *', '0 4 * 1 *', '0 4 * * 1-5', '0 4 * * 8,9', '', 'hello'])
    t.equal(simpleTimeOf(cron), undefined, cron);
  t.end();
});

t.test('weekdays have their names in order, from Monday', (t) => {
  t.same(
    WEEK_DAYS.map((day) => dayName(Number(day), 'en')),
    ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  );
  t.equal(dayName(3, 'de'), 'Mittwoch');
  t.end();
});

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

t.test('a time that never comes has no runs', (t) => {
  for (const cron of ['0 0 30 2 *', '99 4 * * *']) t.same(upcoming(cron, { timeZone: 'UTC', count: 5 }), [], cron);
  t.end();
});

const SCHEDULE = {
  id: 's1',
  name: 'Nightly',
  enabled: false,
  cron: '0 4 * * *',
  timeZone: 'Europe/Berlin',
  condition: 'empty',
  missed: { policy: 'run', graceMinutes: 30 },
  action: { type: 'restart', announce: { secondsBefore: [300, 10], message: 'Soon: {time}' } },
} as Schedule;

t.test('a schedule survives the form unchanged', (t) => {
  t.same(fromScheduleValues(toScheduleValues(SCHEDULE), SCHEDULE), SCHEDULE);
  for (const action of [
    { type: 'backup', cloudReplicate: false },
    { type: 'command', command: 'say hi' },
    { type: 'start' },
    { type: 'drill' },
  ] as const) {
    const schedule = { ...SCHEDULE, action } as Schedule;
    t.same(fromScheduleValues(toScheduleValues(schedule), schedule), schedule, action.type);
  }
  t.end();
});

t.test('a new schedule is a nightly backup here, enabled and without an id', (t) => {
  const values = toScheduleValues(undefined);
  t.match(values, { type: 'backup', cron: '0 4 * * *', condition: 'always', makeUp: false });
  t.equal(values.timeZone, Intl.DateTimeFormat().resolvedOptions().timeZone);
  const schedule = fromScheduleValues(values, undefined);
  t.match(schedule, { enabled: true, action: { type: 'backup', cloudReplicate: true }, missed: { policy: 'skip' } });
  t.notOk('id' in schedule);
  t.end();
});

t.test('warnings are read from any list of numbers', (t) => {
  const values = { ...toScheduleValues(SCHEDULE), secondsBefore: '60;30 5s', message: '  ' };
  t.same(fromScheduleValues(values, SCHEDULE).action, { type: 'restart', announce: { secondsBefore: [60, 30, 5] } });
  const none = { ...values, secondsBefore: '' };
  t.same(fromScheduleValues(none, SCHEDULE).action, { type: 'restart', announce: { secondsBefore: [] } });
  t.end();
});
