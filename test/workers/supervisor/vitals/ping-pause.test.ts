import t from 'tap';
import type { ListPingFailure } from '../../../../shared/node/list-ping/list-ping-error.ts';
import { type PingTally, pingPause } from '../../../../workers/supervisor/vitals/ping-pause.ts';

const EVERY_MS = 5_000;

/** Returns the pauses after each failure of a game that never answers. */
function pauses(failure: ListPingFailure): number[] {
  const tally = { hasAnswered: false, failures: [] as ListPingFailure[] } satisfies PingTally;
  const all: number[] = [];
  for (;;) {
    tally.failures.push(failure);
    const pause = pingPause(tally, EVERY_MS);
    if (pause === undefined) return all;
    all.push(pause / 1_000);
  }
}

t.test('a game that never answers is asked less and less often, and then left alone', async (t) => {
  for (const failure of ['refused', 'timeout', 'closed'] as const)
    t.same(pauses(failure), [5, 5, 5, 10, 20, 40, 60, 60, 60], failure);
});

t.test('a game that answers in another protocol is left alone after three pings', async (t) => {
  t.same(pauses('malformed'), [5, 5]);
});

t.test('a game that has answered once is always asked again', async (t) => {
  const failures = Array<ListPingFailure>(100).fill('malformed');
  t.equal(pingPause({ hasAnswered: true, failures }, EVERY_MS), EVERY_MS);
});
