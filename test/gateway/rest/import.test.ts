/** Who may import what, as the gateway sees it. */
import t from 'tap';
import { build } from '../../support/gateway-app.ts';
import { isProblem } from '../../support/problem.ts';

const DIRECTORY = '/srv/survival';

t.test('a local administrator imports a folder, or looks first', async (t) => {
  const { app, bearer } = await build(t);
  const headers = await bearer();
  for (const prefix of ['', '/api/v1']) {
    const url = `${prefix}/instances/import`;
    const looked = await app.inject({ method: 'POST', url, headers, payload: { directory: DIRECTORY, dryRun: true } });
    t.equal(looked.statusCode, 200, looked.body);
    t.match(looked.json(), { directory: DIRECTORY, software: { value: 'paper' }, missing: [{ field: 'version' }] });
    const made = await app.inject({ method: 'POST', url, headers, payload: { directory: DIRECTORY } });
    t.equal(made.statusCode, 201, made.body);
    t.equal(made.headers.location, `${prefix}/instances/demo`);
    t.match(made.json(), { id: 'demo', status: 'stopped', recognised: { directory: DIRECTORY } });
  }
});

t.test('nobody else does', async (t) => {
  const { app, bearer } = await build(t);
  const request = { method: 'POST', url: '/instances/import', payload: { directory: DIRECTORY } } as const;
  isProblem(t, await app.inject(request), 'unauthenticated', 'without credentials');
  for (const scope of ['servers:read', 'servers:write'] as const)
    isProblem(t, await app.inject({ ...request, headers: await bearer([scope]) }), 'insufficient_scope', scope);
});
