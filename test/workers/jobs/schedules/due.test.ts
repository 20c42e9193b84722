import t from 'tap';
import { correctForClock, judgeDue } from '../../../../workers/jobs/schedules/due.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-20T08:00:00Z');
const skip = { policy: 'skip', graceMinutes: 60 } as const;
const run = { policy: 'run', graceMinutes: 60 } as const;
const judge = (late: number, rest: { missed?: typeof skip | typeof run; considered?: number } = {}) =>
  judgeDue({
    latest: NOW - late,
    consideredAt: NOW - (rest.considered ?? 10 * HOUR),
    now: NOW,
    missed: rest.missed ?? skip,
  });

t.test('a time that is due now runs, whatever was missed before', (t) => {
  t.equal(judge(0), 'run');
  t.equal(judge(59_000), 'run');
  t.end();
});

t.test('a time that was handled is not due again', (t) => {
  t.equal(judge(0, { considered: 0 }), 'nothing');
  t.equal(judge(HOUR, { considered: HOUR / 2, missed: run }), 'nothing');
  t.equal(judgeDue({ latest: undefined, consideredAt: 0, now: NOW, missed: run }), 'nothing');
  t.end();
});

t.test('a missed time is skipped, or caught up within the grace period', (t) => {
  t.equal(judge(HOUR), 'missed');
  t.equal(judge(HOUR, { missed: run }), 'run');
  t.equal(judge(HOUR + 1, { missed: run }), 'missed');
  t.end();
});

t.test('a small clock correction repeats nothing, and a large one starts over', (t) => {
  t.equal(correctForClock(NOW + HOUR, NOW), NOW + HOUR);
  t.equal(correctForClock(NOW + 24 * HOUR, NOW), NOW);
  t.end();
});
