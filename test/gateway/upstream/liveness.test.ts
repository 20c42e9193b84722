import t from 'tap';
import type { Daemon } from '../../../gateway/upstream/clients.ts';
import { createLiveness } from '../../../gateway/upstream/liveness.ts';

t.test('a proof of life is reused for a moment, but not after the clock was set back', async (t) => {
  let asked = 0;
  const daemon = { call: { info: async () => ++asked } } as unknown as Daemon;
  const liveness = createLiveness(daemon);
  await liveness.prove(10_000);
  await liveness.prove(10_100);
  t.equal(asked, 1);
  t.ok(liveness.isFresh(10_100));
  t.notOk(liveness.isFresh(10_250));
  t.notOk(liveness.isFresh(0), 'an earlier time means the clock was set back');
  await liveness.prove(0);
  t.equal(asked, 2);
});
