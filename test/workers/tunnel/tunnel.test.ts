import t, { type Test } from 'tap';
import type { LearnedSettings, TunnelTarget } from '../../../shared/contract/tunnel.ts';
import type { TunnelStatus } from '../../../shared/domain/tunnel/tunnel-status.ts';
import { openStatusServer } from '../../../shared/node/list-ping/status-server.ts';
import { type OpenTunnel, type Provider, TunnelError } from '../../../workers/tunnel/providers/provider.ts';
import { Tunnel } from '../../../workers/tunnel/tunnel.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';

/** A tunnel over a provider of the test, to a status server, with everything that it reports. */
async function openTunnel(t: Test, opening: (port: number) => Provider['open'], target: Partial<TunnelTarget> = {}) {
  const server = await openStatusServer({
    host: '127.0.0.1',
    port: 0,
    limits: { most: 10, mostPerAddress: 10, lifetimeMs: 10_000 },
    status: () => ({ version: '1.21', protocol: 767, motd: 'Hi', max: 20, online: 0, sample: [] }),
    onLogin: () => ({ message: 'no' }),
  });
  t.teardown(() => server.close());
  const statuses: TunnelStatus[] = [];
  const provider: Provider = { name: 'test', open: opening(server.port) };
  const whole: TunnelTarget = { host: '127.0.0.1', port: server.port, probe: 'java', answers: true, ...target };
  const learned: LearnedSettings[] = [];
  const tunnel = new Tunnel({
    provider,
    target: whole,
    onStatus: (status) => statuses.push(status),
    onLearned: (each) => learned.push(each),
  });
  t.teardown(() => tunnel.close());
  const reaches = (state: TunnelStatus['state']) =>
    until(`it is ${state}`, () => statuses.find((status) => status.state === state), { describe: () => statuses });
  return { tunnel, statuses, learned, reaches, target: whole };
}

const never = new Promise<string>(() => undefined);

t.test('an address that leads to the server is up', async (t) => {
  const { reaches } = await openTunnel(t, (port) => async () => ({
    address: { host: '127.0.0.1', port },
    lost: never,
    close: async () => undefined,
  }));
  const up = await reaches('up');
  t.match(up, { provider: 'test', reconnects: 0, checkedAt: /Z$/ });
  t.ok(up.pingMs >= 0);
  t.equal(up.error, undefined);
});

t.test('a tunnel that is lost is opened again', async (t) => {
  const losses = [Promise.resolve('The router was switched off.'), never];
  let closed = 0;
  const { reaches, statuses } = await openTunnel(t, (port) => async () => ({
    address: { host: '127.0.0.1', port },
    lost: losses.shift()!,
    close: async () => void closed++,
  }));
  t.match(await reaches('failed'), { error: 'The router was switched off.', reconnects: 1 });
  await until('it is up again', () => statuses.at(-1)?.state === 'up' && statuses.at(-1)?.reconnects === 1);
  t.equal(closed, 1, 'the lost one was closed');
});

t.test("a provider's error is shown only in our own words", async (t) => {
  const errors = [new Error('password hunter2 is wrong'), new TunnelError('The host is unknown.')];
  const { statuses } = await openTunnel(t, () => async () => {
    throw errors.shift() ?? new TunnelError('The host is unknown.');
  });
  await until('the second error is shown', () => statuses.some(({ error }) => error === 'The host is unknown.'));
  t.notMatch(JSON.stringify(statuses), /hunter2/);
});

t.test('while the game does not answer players, nothing is probed', async (t) => {
  const { reaches, tunnel, statuses, target } = await openTunnel(
    t,
    (port) => async () => ({ address: { host: '127.0.0.1', port }, lost: never, close: async () => undefined }),
    { answers: false },
  );
  await tunnel.probe();
  t.notOk(statuses.some(({ state }) => state !== 'connecting'));
  tunnel.retarget({ ...target, answers: true });
  await reaches('up');
  tunnel.retarget({ ...target, answers: false });
  t.match(statuses.at(-1), { state: 'connecting', pingMs: -1 });
});

t.test('an address that cannot be reached comes with the advice of its provider', async (t) => {
  const closed = await freePort();
  const { reaches } = await openTunnel(t, () => async () => ({
    address: { host: '127.0.0.1', port: closed },
    advice: 'Open its firewall.',
    lost: never,
    close: async () => undefined,
  }));
  t.equal((await reaches('failed')).error, `127.0.0.1:${closed} refuses connections. Open its firewall.`);
});

t.test('closing does not wait for a provider that hangs', async (t) => {
  const { tunnel } = await openTunnel(
    t,
    () => (_target?: unknown, signal?: AbortSignal) =>
      new Promise<OpenTunnel>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason))),
  );
  await tunnel.close();
  t.pass('it is closed');
});

t.test('what the owner has to open, and what is learned, is told before the tunnel is open', async (t) => {
  const allowed = Promise.withResolvers<void>();
  const { statuses, learned, reaches } = await openTunnel(t, (port) => async (_target, _signal, news) => {
    news.claim('https://provider.example/claim/1');
    await allowed.promise;
    news.learned({ provider: 'playit', secret: 'c0ffee' });
    return { address: { host: '127.0.0.1', port }, lost: never, close: async () => undefined };
  });
  await until('it is told', () => statuses.at(-1)?.claimUrl === 'https://provider.example/claim/1');
  t.match(statuses.at(-1), { state: 'connecting' });
  allowed.resolve();
  t.equal((await reaches('up')).claimUrl, undefined);
  t.same(learned, [{ provider: 'playit', secret: 'c0ffee' }]);
});
