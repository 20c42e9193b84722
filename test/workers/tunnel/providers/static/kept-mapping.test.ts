/** How long a router forwards a port. Real routers: home-router.test.ts. */
import t, { type Test } from 'tap';
import { keepMapping } from '../../../../../workers/tunnel/providers/static/mapping/kept-mapping.ts';
import { createPcpMapper } from '../../../../../workers/tunnel/providers/static/mapping/pcp.ts';
import { until } from '../../../../support/machine/until.ts';
import { type PcpAnswer, type PcpRouter, startPcpRouter } from '../../../../support/stand-ins/pcp-router.ts';

const WISH = { transport: 'tcp', port: 25_565, publicPort: 25_565 } as const;
const QUICK = { soonestMs: 20, latestMs: 50 };
const signal = new AbortController().signal;

async function keep(routers: readonly PcpRouter[], renewal = QUICK) {
  const mappers = routers.map(({ port }) => createPcpMapper({ host: '127.0.0.1', port }));
  return keepMapping(WISH, signal, { routers: async () => mappers, renewal });
}

async function kept(t: Test, answer?: (nth: number) => PcpAnswer, renewal = QUICK) {
  const router = await startPcpRouter(t, answer);
  const mapping = await keep([router], renewal);
  t.teardown(() => mapping.close());
  return { router, mapping };
}

t.test('a lease is renewed before it ends', async (t) => {
  const { router, mapping } = await kept(t, () => ({ seconds: 1 }), { soonestMs: 20, latestMs: 60_000 });
  t.match(mapping, { publicAddress: '198.51.100.7', publicPort: 40_000 });
  const from = performance.now();
  await until('it was renewed twice', () => router.asked.length >= 3);
  t.ok(performance.now() - from > 500, 'not all the time');
});

t.test('a port that the router has forgotten is forwarded again, long before its lease ends', async (t) => {
  const { router } = await kept(t, () => ({ seconds: 3_600 }));
  router.forget();
  await until('it is forwarded again', () => router.forwards());
});

t.test('the router forwards nothing after the end', async (t) => {
  const { router, mapping } = await kept(t);
  await until('it is being renewed', () => router.asked.length > 3);
  await mapping.close();
  t.equal(router.asked.at(-1), 0, 'the last request takes it back');
  t.notOk(router.forwards());
  t.equal(await mapping.lost, '');
});

t.test('a router that refuses three times in a row has lost it, not one that refuses now and then', async (t) => {
  const refused = [2, 3, 5, 6, 9, 10, 11];
  const { router, mapping } = await kept(t, (nth) => (refused.includes(nth) ? { code: 3 } : {}));
  t.equal(await mapping.lost, 'The router does not forward the port any more.');
  t.equal(router.asked.length, 11);
});

t.test('a router with another public address has lost it, so that players are told the new one', async (t) => {
  const { mapping } = await kept(t, (nth) => ({ publicAddress: `198.51.100.${nth < 4 ? 7 : 8}` }));
  t.equal(await mapping.lost, 'The router has another address or port now.');
});

t.test('the next protocol is tried, and what the router says is passed on if none works', async (t) => {
  const [refusing, other] = [await startPcpRouter(t, () => ({ code: 2 })), await startPcpRouter(t)];
  const mapping = await keep([refusing, other]);
  t.ok(other.forwards());
  await mapping.close();
  await t.rejects(keep([refusing]), {
    message: 'Your router does not let this computer forward ports; allow it in its settings.',
  });
  await t.rejects(keep([]), { message: /^No router .* was found\. Turn on UPnP/ });
});
