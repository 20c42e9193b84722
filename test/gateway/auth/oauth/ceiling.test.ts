/** What the owner of this daemon lets a proxy do at most, and grants that were revoked at the proxy. */
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { SCOPES, type Scope } from '../../../../shared/domain/access/scope.ts';
import { openConsole, portOf } from '../../../support/console/console-client.ts';
import { readEvents } from '../../../support/http/event-reader.ts';
import { isProblem } from '../../../support/http/problem.ts';
import { until } from '../../../support/machine/until.ts';
import { build } from '../../../support/processes/gateway-app.ts';
import { testProxy } from '../../../support/stand-ins/test-proxy.ts';

async function paired(t: Test, ceiling: Scope[]) {
  const world = await build(t);
  const proxy = await testProxy(t, { now: world.gateway.now });
  world.daemon.setPairing({ ...proxy.pairing, ceiling });
  const authorization = async (scopes: readonly Scope[], claims = {}) => ({
    authorization: `Bearer ${await proxy.token({ scopes, claims })}`,
  });
  const get = (headers: Record<string, string>, url = '/instances') => world.app.inject({ url, headers });
  return { ...world, proxy, authorization, get };
}

t.test('a token never has more scopes than the ceiling, and never more than its own', async (t) => {
  const { get, authorization, gateway } = await paired(t, ['servers:read']);
  const all = await authorization(SCOPES);
  const logs = await authorization(['logs:read']);
  t.equal((await get(all)).statusCode, 200);
  isProblem(t, await get(all, '/instances/demo/logs'), 'insufficient_scope');
  isProblem(t, await get(logs), 'insufficient_scope');

  await gateway.services.link.change({ scopes: ['logs:read'] });
  isProblem(t, await get(all), 'insufficient_scope', 'lowered at once, also for a token in the cache');
  t.not((await get(all, '/instances/demo/logs')).statusCode, 403, 'raised at once');
  await gateway.services.link.change({ scopes: [...SCOPES] });
  isProblem(t, await get(logs), 'insufficient_scope');
});

t.test('a ceiling closes the consoles and event streams that it no longer allows', async (t) => {
  const { app, authorization, gateway } = await paired(t, [...SCOPES]);
  const viewer = await openConsole(t, app, { headers: await authorization(['logs:read', 'servers:write']) });
  const url = `http://127.0.0.1:${await portOf(app)}/events`;
  const { response } = await readEvents(t, url, await authorization(['servers:read']));
  const ended = once(response, 'end');
  await gateway.services.link.change({ scopes: ['logs:read'] });
  await ended;
  t.equal(gateway.sockets.total, 1, 'a console stays that is still allowed');
  await gateway.services.link.change({ scopes: ['servers:read'] });
  t.equal((await viewer.closed()).code, 1008);
});

t.test('a token cannot raise its ceiling, or link and unlink', async (t) => {
  const { app, authorization, daemon } = await paired(t, ['servers:read']);
  const headers = await authorization(SCOPES);
  const requests = [
    { method: 'GET', url: '/api/link' },
    { method: 'POST', url: '/api/link', payload: { url: 'http://127.0.0.1:1' } },
    { method: 'PATCH', url: '/api/link', payload: { scopes: SCOPES } },
    { method: 'DELETE', url: '/api/link' },
    { method: 'DELETE', url: '/api/link/request' },
  ] as const;
  for (const request of requests)
    isProblem(t, await app.inject({ ...request, headers }), 'insufficient_scope', `${request.method} ${request.url}`);
  t.same(daemon.pairing()?.ceiling, ['servers:read']);
});

t.test('a revoked grant ends its tokens, consoles and event streams, and no others', async (t) => {
  const { app, authorization, gateway, get } = await paired(t, [...SCOPES]);
  const revoked = await authorization(SCOPES, { grant_id: 'g1' });
  const other = await authorization(SCOPES, { grant_id: 'g2' });
  const viewer = await openConsole(t, app, { headers: revoked });
  await openConsole(t, app, { headers: other });
  t.equal((await get(revoked)).statusCode, 200);
  gateway.credentials.revokeGrant('g1');
  t.equal((await viewer.closed()).code, 1008);
  await until('it is forgotten', () => gateway.sockets.total === 1);
  isProblem(t, await get(revoked), 'unauthenticated');
  isProblem(
    t,
    await get(await authorization(SCOPES, { grant_id: 'g1' })),
    'unauthenticated',
    'a new token of the grant',
  );
  t.equal((await get(other)).statusCode, 200);
  t.equal((await get(await authorization(SCOPES))).statusCode, 200, 'a token without a grant');
  isProblem(t, await get(await authorization(SCOPES, { grant_id: { g: 1 } })), 'unauthenticated');
});

t.test('a token that was issued before the pairing belongs to a former owner', async (t) => {
  const { daemon, proxy, get, authorization, clock } = await paired(t, [...SCOPES]);
  const former = await authorization(SCOPES);
  t.equal((await get(former)).statusCode, 200);
  daemon.removePairing();
  clock.ahead += 60_000;
  daemon.setPairing(proxy.pairing);
  await until('it is refused', async () => (await get(former)).statusCode === 401);
  t.equal((await get(await authorization(SCOPES))).statusCode, 200);
});
