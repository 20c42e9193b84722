/** The whole way: the command line links a real daemon to a real hosted proxy, and a third party's library drives it from there. */
import { once } from 'node:events';
import path from 'node:path';
import * as client from 'openid-client';
import t from 'tap';
import { WebSocket } from 'ws';
import type { Backup } from '../../shared/schema/backup.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import { requestJson } from '../support/http/request-json.ts';
import { signedInAdmin } from '../support/http/signed-in-user.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { linkToProxy, RECONNECTS_WITHIN_MS, untilConnected } from '../support/proxy/linked-daemon.ts';
import { oauthWorld } from '../support/proxy/oauth-world.ts';

const REVOKED_WITHIN_MS = 1_000;

t.test('a program of a third party drives a daemon through the proxy', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const world = await oauthWorld(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const base = await linkToProxy(t, gamekeeper, world);
  await untilConnected(gamekeeper);
  const browser = await world.browser('anna');
  const tokens = await world.tokens(browser, [path.basename(base)]);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const ask = <T>(method: string, route: string, body?: object) =>
    requestJson<T>(method, new URL(`${base}${route}`), { headers, body });

  t.match((await ask<Instance[]>('GET', '/instances')).body, [{ id: 'demo', status: 'stopped' }]);
  t.equal((await ask('POST', '/instances/demo/start')).status, 200);
  await until('it runs', async () => (await ask<Instance>('GET', '/instances/demo')).body.status === 'running');
  const console = new WebSocket(`${base.replace('http', 'ws')}/ws/instances/demo/console`, { headers });
  t.teardown(() => console.terminate());
  let shown = '';
  console.on('message', (data) => {
    shown += data;
  });
  await once(console, 'open');
  console.send('say hello from far away');
  await until('the console shows it', () => shown.includes('hello from far away'));
  const { lines } = (await ask<{ lines: string[] }>('GET', '/instances/demo/logs?lines=50')).body;
  t.match(lines.join('\n'), /hello from far away/);
  const { backupId } = (await ask<Backup>('POST', '/instances/demo/backup')).body;
  t.match((await ask<Backup[]>('GET', '/instances/demo/backups')).body, [{ backupId }]);
  t.match(await ask('PUT', '/api/settings', {}), { status: 404 }, 'nothing for signed-in users');

  await t.test('a revoked grant closes the console within a second', async (t) => {
    const closed = once(console, 'close');
    const revokedAt = performance.now();
    await client.tokenRevocation(world.program, tokens.refresh_token ?? '');
    await closed;
    t.ok(performance.now() - revokedAt < REVOKED_WITHIN_MS, `${Math.round(performance.now() - revokedAt)} ms`);
    t.match(await ask('GET', '/instances'), { status: 401, body: { code: 'unauthenticated' } });
  });
});

t.test('a daemon is told apart: offline, another account, unlinked', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const world = await oauthWorld(t, { GAMEKEEPER_PROXY_PORT: String(await freePort()) });
  const base = await linkToProxy(t, gamekeeper, world);
  await untilConnected(gamekeeper);
  const [anna, ben] = [await world.browser('anna'), await world.browser('ben')];
  const { access_token: token } = await world.tokens(anna, [path.basename(base)]);
  const headers = { authorization: `Bearer ${token}` };
  const list = () => requestJson('GET', new URL(`${base}/instances`), { headers });
  t.equal((await list()).status, 200);
  t.match(await requestJson('GET', new URL(`${base}/instances`), {}), { status: 401 });

  const { url } = await world.begin({ resource: `urn:uuid:${path.basename(base)}` });
  const page = await ben.open(url);
  t.notMatch(page.text, /Attic/, 'another account does not see it');

  const admin = await signedInAdmin(gamekeeper);
  const change = (body: object) => admin.api('PATCH', '/api/link', body);
  const shows = async (name: string) => (await anna.open('/account')).text.includes(name);
  t.equal((await change({ name: 'Basement' })).status, 200);
  await until('the proxy shows its new name', () => shows('Basement'));

  await world.proxy.end('SIGKILL');
  t.equal((await change({ name: 'Cellar', scopes: ['servers:read'] })).status, 200);
  await world.proxy.start();
  await until('the daemon is back after a kill of the proxy', async () => (await list()).status === 200, {
    deadlineMs: RECONNECTS_WITHIN_MS,
  });

  await until('the proxy shows the name that it was given meanwhile', () => shows('Cellar'));

  t.match(await gamekeeper.cli('unlink'), { code: 0 });
  t.match(await list(), { status: 401 }, 'its tokens are no longer valid');
  t.notOk(await shows('Cellar'));
});
