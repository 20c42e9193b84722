import t from 'tap';
import { longestStopMs, stopGraceMs } from '../../../../shared/domain/instance/stop-time.ts';

t.test('the time between SIGTERM and SIGKILL is the stop timeout, at least ten seconds', async (t) => {
  t.equal(stopGraceMs(60), 60_000);
  t.equal(stopGraceMs(1), 10_000);
  t.equal(longestStopMs(60), 180_000);
});
