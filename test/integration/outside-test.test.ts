/** The hosted proxy tells whether friends can reach a server: a real daemon, a real proxy, and addresses that work or do not. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import t, { type Test } from 'tap';
import type { OutsideTest } from '../../shared/schema/outside-ping.ts';
import type { TunnelResponse } from '../../shared/schema/tunnel.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { linkToProxy, untilConnected } from '../support/proxy/linked-daemon.ts';
import { oauthWorld } from '../support/proxy/oauth-world.ts';

const test = ({ api }: Gamekeeper) => api<OutsideTest>('POST', '/instances/demo/tunnel/test/outside');

async function runningDemo(t: Test): Promise<{ gamekeeper: Gamekeeper; point: (address: string) => Promise<void> }> {
  const gamekeeper = await startGamekeeper(t);
  const { api } = gamekeeper;
  const port = await freePort();
  await api('POST', '/instances', { name: 'Demo', software: 'demo', port });
  await api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const point = async (address: string) => {
    await api('PUT', '/instances/demo/tunnel/settings', { provider: 'static', address });
    const tunnel = () => api<TunnelResponse>('GET', '/instances/demo/tunnel');
    await until('it has the address', async () => (await tunnel()).body.tunnelAddress === address);
  };
  t.match(await test(gamekeeper), { status: 409, body: { code: 'invalid_state' } }, 'no tunnel');
  await point(`127.0.0.1:${port}`);
  t.match(await test(gamekeeper), { body: { code: 'not_linked' } });
  return { gamekeeper, point };
}

t.test('the proxy connects as a friend would, and says what is wrong', async (t) => {
  const { gamekeeper, point } = await runningDemo(t);
  const world = await oauthWorld(t, { GAMEKEEPER_PROXY_PRIVATE_WEBHOOKS: 'yes' });
  await linkToProxy(t, gamekeeper, world);
  await untilConnected(gamekeeper);
  const { status, body } = await test(gamekeeper);
  t.equal(status, 200);
  t.match(body, { reachable: true, from: world.proxy.url, playersOnline: 0, version: /./, maxPlayers: 20 });
  t.match((await gamekeeper.cli('tunnel', 'demo', 'test', '--outside')).stdout, /^Friends can reach 127\.0\.0\.1/);

  await point(`127.0.0.1:${await freePort()}`);
  t.match(await test(gamekeeper), { status: 200, body: { reachable: false, error: /refuses connections/ } });
  const other = createServer((socket) =>
    socket.on('error', () => undefined).write('HTTP/1.1 400 Bad Request\r\n\r\n'.repeat(20)),
  ).listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.teardown(() => other.close());
  await point(`127.0.0.1:${(other.address() as AddressInfo).port}`);
  t.match(await test(gamekeeper), { status: 200, body: { reachable: false, error: /Something else/ } });
  await point('does-not-exist.invalid');
  t.match(await test(gamekeeper), { status: 200, body: { reachable: false, error: /DNS/ } });
  t.match(await test(gamekeeper), { status: 200 });
  t.match(await test(gamekeeper), { status: 429, body: { code: 'rate_limited' } }, 'six at once');
});

t.test('it connects to no address of its own network', async (t) => {
  const { gamekeeper } = await runningDemo(t);
  const world = await oauthWorld(t);
  await linkToProxy(t, gamekeeper, world);
  await untilConnected(gamekeeper);
  t.match(await test(gamekeeper), { status: 200, body: { reachable: false, error: /not an address on the internet/ } });
});
