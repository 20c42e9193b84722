import t from 'tap';
import { countdown, inWords } from '../../../../workers/jobs/schedules/countdown.ts';

t.test('announcements come longest time first, each once', (t) => {
  t.same(countdown([10, 300, 60, 10]), {
    steps: [
      { after: 0, left: 300 },
      { after: 240, left: 60 },
      { after: 290, left: 10 },
    ],
    total: 300,
  });
  t.same(countdown([]), { steps: [], total: 0 });
  t.end();
});

t.test('durations are written in words', (t) => {
  t.same([600, 60, 90, 10, 1, 61].map(inWords), [
    '10 minutes',
    '1 minute',
    '1 minute 30 seconds',
    '10 seconds',
    '1 second',
    '1 minute 1 second',
  ]);
  t.end();
});
