import t from 'tap';
import { build } from '../../support/gateway-app.ts';

t.test('listing answers with live figures while running', async (t) => {
  const { app, daemon, bearer } = await build(t);
  const headers = await bearer(['servers:read']);
  const answer = await app.inject({ url: '/instances', headers });
  t.equal(answer.statusCode, 200);
  t.match(answer.json(), [{ id: 'demo', status: 'stopped' }]);
});
