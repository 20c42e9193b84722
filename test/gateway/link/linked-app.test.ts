/** What a daemon accepts from a proxy that is taken over: requests over the link with anything but the proxy's own tokens. */
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { connectInProcess } from '../../../gateway/link/in-process-socket.ts';
import { createLinkedApp } from '../../../gateway/link/linked-app.ts';
import { until } from '../../support/machine/until.ts';
import { build, type World } from '../../support/processes/gateway-app.ts';
import { testProxy } from '../../support/stand-ins/test-proxy.ts';

const HOST = 'proxy.example';

interface Answer {
  status: number;
  body: { code: string; detail: string };
}

/** Returns how to send a request over the link. */
async function linkedApp(t: Test, world: World) {
  const app = await createLinkedApp(world.gateway);
  t.teardown(() => app.close());
  return async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> => {
    const { client, server } = connectInProcess();
    app.serve(server, { issuer: `https://${HOST}`, daemonId: 'some' });
    const asked = request({ method, path, headers: { host: HOST, ...headers }, createConnection: () => client });
    asked.end();
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      asked.once('response', resolve);
      asked.once('error', reject);
    });
    return { status: response.statusCode ?? 0, body: (await json(response)) as Answer['body'] };
  };
}

t.test("only the proxy's host is accepted", async (t) => {
  const world = await build(t);
  const ask = await linkedApp(t, world);
  for (const host of ['localhost', '127.0.0.1', '127.0.0.1:25580', 'other.example', `${HOST}:1`, ''])
    for (const path of ['/instances', '/health'])
      t.match(await ask(path, { host }), { status: 403, body: { code: 'origin_not_allowed' } }, `${host} ${path}`);
  t.match(await ask('/health', { host: HOST.toUpperCase() }), { status: 200 });
});

t.test('credentials of this machine do not count, and nobody is a local user', async (t) => {
  const world = await build(t);
  const ask = await linkedApp(t, world);
  const cookie = await world.cookie();
  const cases: Record<string, Record<string, string>> = {
    none: {},
    'a bearer token': await world.bearer(),
    'a cookie': cookie,
    nonsense: { authorization: 'Bearer x' },
    'another scheme': { authorization: 'Basic eDp4' },
  };
  for (const [name, headers] of Object.entries(cases))
    for (const path of ['/instances', '/api/v1/instances', '/metrics', '/ws/instances/demo/console?ticket=x'])
      t.match(await ask(path, headers), { status: 401, body: { code: 'unauthenticated' } }, `${name} ${path}`);
  t.match(await ask('/api/tokens', cookie, 'POST'), { status: 404 }, 'there are no routes for users');
});

t.test('a token of the paired proxy counts, and strangers share one limit of their own', async (t) => {
  const world = await build(t, { settings: { limits: { requestsPerSecond: 1, burst: 5 } } });
  const proxy = await testProxy(t);
  world.daemon.setPairing(proxy.pairing);
  const ask = await linkedApp(t, world);
  const headers = await proxy.bearer(['servers:read']);
  await until('the pairing is known', async () => (await ask('/instances', headers)).status !== 401);
  for (let n = 0; n < 6; n++) await ask('/instances');
  t.match(await ask('/instances'), { status: 429 });
  t.equal((await world.app.inject('/instances')).statusCode, 401, 'an address of this machine has its own limit');
});
