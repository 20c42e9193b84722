import t from 'tap';
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
  });
  t.match((await get('?range=7d')).json(), { range: '7d' });

  const wrong = await get('?range=1y');
  t.equal(wrong.statusCode, 400);
  t.match(wrong.json(), { code: 'invalid_request', detail: /range/ });
  const missing = await app.inject({ url: '/instances/none/history', headers });
  t.match(missing.json(), { status: 404, code: 'instance_not_found' });
});
