import t from 'tap';
import type { Schedule } from '../../../../../../gateway/panel/src/api/schedules.ts';
import {
  fromScheduleValues,
  toScheduleValues,
} from '../../../../../../gateway/panel/src/pages/server/schedules/schedule-values.ts';

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
