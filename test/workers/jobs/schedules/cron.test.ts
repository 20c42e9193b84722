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
  t.throws(() => checkCron(berlin('0 0 30 2 *')), { code: 'invalid_request', message: /within the next 10 years/ });
  t.throws(() => checkCron({ cron: '0 4 * * *', timeZone: 'Mars/Olympus' }), { message: /no time zone "Mars/ });
  t.doesNotThrow(() => checkCron(berlin('0 4 L * *')));
  t.end();
});

t.test('a time that comes more rarely than every ten years is refused at once', (t) => {
  for (const cron of ['0 0 29 2 +1', '0 0 * 2 1#5', '0 0 31 2,4,6,9,11 *', '*/1 * 30 2 *'])
    t.throws(() => checkCron(berlin(cron)), { message: /within the next 10 years/ }, cron);
  const before = process.threadCpuUsage();
  for (let n = 0; n < 50; n++) {
    const zone = { cron: `${n} 0 29 2 +1`, timeZone: 'Europe/Berlin' };
    nextRuns(zone, new Date('2026-03-01T00:00:00Z'), 5);
    latestRun(zone, new Date('2026-02-01T00:00:00Z'));
  }
  const usedMs = process.threadCpuUsage(before).user / 1000;
  t.ok(usedMs < 500, `${Math.round(usedMs)} ms for as many as an instance may have`);
  t.end();
});

t.test('29 February is found, also over the year 2100', (t) => {
  t.same(next('0 0 29 2 *', '2096-03-01T00:00:00Z', 2), ['2104-02-28T23:00:00.000Z']);
  t.equal(latestRun(berlin('0 0 29 2 *'), new Date('2104-01-01T00:00:00Z'))?.toISOString(), '2096-02-28T23:00:00.000Z');
  t.end();
});

t.test('at the turn of the year the year in the time zone counts', (t) => {
  const honolulu = { cron: '0 17 31 12 *', timeZone: 'Pacific/Honolulu' };
  t.same(nextRuns(honolulu, new Date('2027-01-01T02:00:00Z'), 1), [new Date('2027-01-01T03:00:00Z')]);
  const kiritimati = { cron: '0 1 1 1 *', timeZone: 'Pacific/Kiritimati' };
  t.same(latestRun(kiritimati, new Date('2026-12-31T12:00:00Z')), new Date('2026-12-31T11:00:00Z'));
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
