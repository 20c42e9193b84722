import t from 'tap';
import { build } from '../../../support/processes/gateway-app.ts';

t.test('mod requests reach the jobs process unchanged', async (t) => {
  const { app, bearer, jobs } = await build(t);
  const headers = await bearer();
  const send = (method: 'POST' | 'DELETE', path: string, payload?: object) =>
    app.inject({ method, url: `/instances/demo/mods${path}`, headers, ...(payload && { payload }) });
  await send('POST', '', { project: 'lithium', version: '0.15.0' });
  await send('POST', '/update', {});
  await send('POST', '/update');
  await send('POST', '/update', { project: 'lithium', dryRun: true });
  await send('DELETE', '/lithium');
  await send('DELETE', '/lithium?force=true');
  t.same(jobs.modOrders, [
    { type: 'install', project: 'lithium', version: '0.15.0', dryRun: false },
    { type: 'update', dryRun: false },
    { type: 'update', dryRun: false },
    { type: 'update', project: 'lithium', dryRun: true },
    { type: 'remove', mod: 'lithium', force: false },
    { type: 'remove', mod: 'lithium', force: true },
  ]);
});

t.test('a change can be watched as a job', async (t) => {
  const { app, bearer } = await build(t);
  const headers = { ...(await bearer()), prefer: 'respond-async' };
  const answer = await app.inject({
    method: 'POST',
    url: '/instances/demo/mods',
    headers,
    payload: { project: 'lithium' },
  });
  t.equal(answer.statusCode, 202);
  t.match(answer.json(), { kind: 'mods', instanceId: 'demo' });
  t.equal(answer.headers.location, `/jobs/${answer.json().jobId}`);
});

t.test('an invalid mod request is 400 and names the field', async (t) => {
  const { app, bearer, jobs } = await build(t);
  const headers = await bearer();
  for (const payload of [
    {},
    { project: '' },
    { project: '../../v2/users' },
    { project: 'a/b' },
    { project: 'x'.repeat(65) },
    { project: 'lithium', version: '' },
    { project: 'lithium', url: 'http://127.0.0.1/x.jar' },
  ]) {
    const answer = await app.inject({ method: 'POST', url: '/instances/demo/mods', headers, payload });
    t.match(answer.json(), { status: 400, code: 'invalid_request' }, JSON.stringify(payload));
  }
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=-1', `query=${'x'.repeat(201)}`, 'limit=1&limit=2'])
    t.equal((await app.inject({ url: `/instances/demo/mods/search?${query}`, headers })).statusCode, 400, query);
  t.equal((await app.inject({ method: 'DELETE', url: '/instances/demo/mods/x?force=yes', headers })).statusCode, 400);
  t.same(jobs.modOrders, []);
});

t.test('one credential cannot use up the rate limit of Modrinth', async (t) => {
  const { app, bearer, clock } = await build(t);
  const [greedy, other] = [await bearer(), await bearer()];
  const search = async (headers: Record<string, string>) =>
    (await app.inject({ url: '/instances/demo/mods/search', headers })).statusCode;
  const answers = [];
  for (let count = 0; count < 40; count++) answers.push(await search(greedy));
  t.equal(answers[0], 200);
  t.equal(answers.at(-1), 429);
  t.equal(await search(other), 200);
  clock.ahead = 5_000;
  t.equal(await search(greedy), 200);
});
