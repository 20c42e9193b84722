import t from 'tap';
import { checkCron, createUpcomingRuns, latestRun, nextRuns } from '../../../../workers/jobs/schedules/cron.ts';

const berlin = (cron: string) => ({ cron, timeZone: 'Europe/Berlin' });
const next = (cron: string, after: string, count: number) =>
  nextRuns(berlin(cron), new Date(after), count).map((at) => at.toISOString());

t.test('a time in the hour that the start of summer time skips comes at the end of that hour', (t) => {
  t.same(next('30 2 * * *', '2026-03-28T12:00:00Z', 2), ['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z']);
  t.equal(
    latestRun(berlin('30 2 * * *'), new Date('2026-03-29T09:00:00Z'))?.toISOString(),
    '2026-03-29T01:00:00.000Z',
    'the last run is computed in the same way',
  );
  t.end();
});

t.test('a time in the hour that the end of summer time repeats comes once', (t) => {
  t.same(next('30 2 * * *', '2026-10-24T12:00:00Z', 2), ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
  t.equal(latestRun(berlin('30 2 * * *'), new Date('2026-10-25T01:45:00Z'))?.toISOString(), '2026-10-25T00:30:00.000Z');
  t.end();
});

t.test('a half-hourly schedule runs through the repeated hour', (t) => {
  t.same(next('*/30 * * * *', '2026-10-25T00:15:00Z', 3), [
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T01:00:00.000Z',
    '2026-10-25T01:30:00.000Z',
  ]);
  t.end();
});

t.test('a time counts as past at its own moment', (t) => {
  const four = new Date('2026-11-20T03:00:00.000Z');
  t.same(latestRun(berlin('0 4 * * *'), four), four);
  t.same(latestRun(berlin('0 4 * * *'), new Date(four.getTime() - 1))?.toISOString(), '2026-11-19T03:00:00.000Z');
  t.end();
});

t.test('times that are invalid or never come are refused', (t) => {
  t.throws(() => checkCron(berlin('61 * * * *')), { code: 'invalid_request', message: /minute: 61/ });
  t.throws(() => checkCron(berlin('0 0 30 2 *')), { code: 'invalid_request', message: /never comes/ });
  t.throws(() => checkCron({ cron: '0 4 * * *', timeZone: 'Mars/Olympus' }), { message: /no time zone "Mars/ });
  t.doesNotThrow(() => checkCron(berlin('0 4 L * *')));
  t.end();
});

t.test('upcoming runs are found once, until the first of them has come', async (t) => {
  const upcoming = createUpcomingRuns(2);
  const noon = { cron: '0 12 * * *', timeZone: 'UTC' };
  const first = upcoming(noon, new Date('2026-11-20T08:00:00Z'));
  t.same(first, [new Date('2026-11-20T12:00:00Z'), new Date('2026-11-21T12:00:00Z')]);
  t.equal(upcoming({ ...noon }, new Date('2026-11-20T11:59:59Z')), first, 'the same list');
  t.same(upcoming(noon, new Date('2026-11-20T12:00:00Z'))[0], new Date('2026-11-21T12:00:00Z'));
  t.not(upcoming({ ...noon, timeZone: 'Asia/Tokyo' }, new Date('2026-11-20T08:00:00Z')), first);
});
