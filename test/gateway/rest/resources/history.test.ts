import t from 'tap';
import type { Scope } from '../../../../shared/domain/access/scope.ts';
import { build } from '../../../support/processes/gateway-app.ts';

t.test('the usage history covers an hour by default', async (t) => {
  const { app, bearer } = await build(t);
  const headers = await bearer(['servers:read']);
  const get = (query: string) => app.inject({ url: `/instances/demo/history${query}`, headers });

  const hour = await get('');
  t.equal(hour.statusCode, 200);
  t.match(hour.json(), {
    range: '1h',
    points: [{ cpuPercent: 12.5, memoryUsedMb: 1024, tickTimeMs: 7.5, playersOnline: 3 }],
    events: [{ at: '2026-11-20T08:00:05.000Z', kind: 'backup' }],
  });
  t.match((await get('?range=7d')).json(), { range: '7d' });

  const wrong = await get('?range=1y');
  t.equal(wrong.statusCode, 400);
  t.match(wrong.json(), { code: 'invalid_request', detail: /range/ });
  const missing = await app.inject({ url: '/instances/none/history', headers });
  t.match(missing.json(), { status: 404, code: 'instance_not_found' });
});

const WITHOUT_DISK = [
  { at: '2026-11-20T08:00:00.000Z', cpuPercent: 12.5, memoryUsedMb: 1024, tickTimeMs: 7.5, playersOnline: 3 },
];

t.test('the free disk space is for callers who may read the files of the server', async (t) => {
  const { app, addUser, cookie } = await build(t);
  const points = async (username: string) =>
    (await app.inject({ url: '/instances/demo/history', headers: await cookie(username) })).json().points;
  await addUser('admin', 'admin');
  await addUser('reader', 'viewer', { instances: [{ id: 'demo', role: 'operator', files: 'read' }] });
  await addUser('viewer', 'viewer', { instances: ['demo'] });
  for (const username of ['admin', 'reader'])
    t.match(await points(username), [{ cpuPercent: 12.5, diskFreeBytes: 5_000_000_000 }], username);
  t.same(await points('viewer'), WITHOUT_DISK);
});

t.test('a token sees the free disk space if its scopes allow reading files', async (t) => {
  const { app, bearer } = await build(t);
  const points = async (scopes: Scope[]) =>
    (await app.inject({ url: '/instances/demo/history', headers: await bearer(scopes) })).json().points;
  t.match(await points(['servers:read', 'servers:write']), [{ diskFreeBytes: 5_000_000_000 }]);
  t.same(await points(['servers:read']), WITHOUT_DISK);
});
