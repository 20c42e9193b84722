import t from 'tap';
import {
  cronOf,
  dayName,
  readTimeOfDay,
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

t.test('a time of day is read as people type it', (t) => {
  for (const [typed, time] of Object.entries({ '4': '04:00', '430': '04:30', ' 4:30': '04:30', '23.59': '23:59' }))
    t.equal(readTimeOfDay(typed), time, typed);
  for (const typed of ['', '24:00', '4:60', '4:3', 'noon']) t.equal(readTimeOfDay(typed), undefined, typed);
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
