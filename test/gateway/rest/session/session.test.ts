import t from 'tap';
import { isProblem } from '../../../support/http/problem.ts';
import { build } from '../../../support/processes/gateway-app.ts';

t.test('the routes under /api do the same with the cookie', async (t) => {
  const { app, cookie, supervisor } = await build(t);
  const headers = await cookie();
  const post = (path: string, payload?: object) =>
    app.inject({ method: 'POST', url: `/api/instances/${path}`, headers, ...(payload && { payload }) });
  for (const [action, message] of Object.entries({ start: 'starting', restart: 'restarting', stop: 'stopping' }))
    t.same((await post(`demo/${action}`)).json(), { success: true, message: `"Demo" is ${message}.` });
  for (const action of ['kick', 'ban', 'op', 'deop'])
    t.equal((await post(`demo/players/Alice/${action}`)).statusCode, 200, action);
  t.equal((await post('demo/players/.Bedrock_1/kick', { reason: 'afk' })).statusCode, 200);
  t.same(supervisor.heard, ['kick Alice', 'ban Alice', 'op Alice', 'deop Alice', 'kick .Bedrock_1 afk']);

  for (const path of ['none/start', 'none/players/Alice/kick', 'none/console-ticket'])
    isProblem(t, await post(path), 'instance_not_found', path);
  isProblem(t, await post('demo/players/a;b/op'), 'invalid_request');
  isProblem(t, await post('demo/kill'), 'route_not_found', 'what the customer did not name is not there');
  isProblem(t, await app.inject({ method: 'POST', url: '/api/instances/demo/start' }), 'unauthenticated');
});

t.test('only a cookie has a session', async (t) => {
  const { app, bearer } = await build(t);
  isProblem(
    t,
    await app.inject({ url: '/api/session', headers: await bearer() }),
    'insufficient_scope',
    'a token has none',
  );
  const local = await build(t, { local: true });
  isProblem(t, await local.app.inject('/api/session'), 'insufficient_scope', 'nor has the command line');
});
