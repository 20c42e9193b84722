import t from 'tap';
import { openStatusServer } from '../../../../shared/node/list-ping/status-server.ts';
import { probe } from '../../../../workers/tunnel/check/probe.ts';
import { startDelayedRelay } from '../../../support/machine/delayed-relay.ts';

const DELAY_MS = 50;
const WITHIN_MS = 5;
/** On a busy machine a single one may take longer. */
const PROBES = 20;

t.test('the latency is that of the way through the public address', async (t) => {
  const server = await openStatusServer({
    host: '127.0.0.1',
    port: 0,
    limits: { most: 10, mostPerAddress: 10, lifetimeMs: 10_000 },
    status: () => ({ version: '1.21', protocol: 767, motd: 'Hi', max: 20, online: 0, sample: [] }),
    onLogin: () => ({ message: 'no' }),
  });
  t.teardown(() => server.close());
  const port = await startDelayedRelay(t, { to: server.port, delayMs: DELAY_MS });
  const target = { host: '127.0.0.1', port: server.port, probe: 'java', answers: true } as const;
  const latencies: number[] = [];
  while (latencies.length < PROBES) {
    const { pingMs = -1, error } = await probe({ host: '127.0.0.1', port }, target);
    t.equal(error, undefined);
    latencies.push(pingMs);
  }
  const best = Math.min(...latencies);
  t.ok(best >= DELAY_MS - 1 && best <= DELAY_MS + WITHIN_MS, `${best} ms`);
  t.comment(`reported: ${latencies.join(', ')} ms`);
});
