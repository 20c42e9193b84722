import t from 'tap';
import { isProblem } from '../../../support/http/problem.ts';
import { build } from '../../../support/processes/gateway-app.ts';

const NIGHTLY = { name: 'Nightly', cron: '0 4 * * *', action: { type: 'backup' } };

t.test('schedules are replaced together, and only over the version that was read', async (t) => {
  const { app, bearer } = await build(t);
  const headers = await bearer();
  const put = (payload: object, more = {}) =>
    app.inject({ method: 'PUT', url: '/instances/demo/schedules', headers: { ...headers, ...more }, payload });

  const first = await put({ schedules: [NIGHTLY] });
  t.equal(first.statusCode, 200);
  const etag = String(first.headers.etag);
  const read = await app.inject({ url: '/instances/demo/schedules', headers });
  t.equal(read.headers.etag, etag);
  t.same(read.json(), first.json());
  t.equal((await put(read.json(), { 'if-match': etag })).statusCode, 200, 'a response can be sent back unchanged');
  const late = await put({ schedules: [] }, { 'if-match': etag });
  t.match(late.json(), { status: 412, code: 'precondition_failed' });
  t.equal((await put({ schedules: [] }, { 'if-match': '*' })).statusCode, 200);
});

t.test('an invalid schedule is 400 and names the field', async (t) => {
  const { app, bearer } = await build(t);
  const headers = await bearer();
  const refused = async (schedule: object) => {
    const payload = { schedules: [{ ...NIGHTLY, ...schedule }] };
    const answer = await app.inject({ method: 'PUT', url: '/instances/demo/schedules', headers, payload });
    t.equal(answer.statusCode, 400, answer.body);
    return String(answer.json().detail);
  };
  t.match(await refused({ cron: '0 0 4 * * *' }), /five fields/);
  t.match(await refused({ cron: '@daily' }), /five fields/);
  t.match(await refused({ action: { type: 'command', command: 'say a\nstop' } }), /one line/);
  t.match(await refused({ action: { type: 'format-disk' } }), /action/);
  t.match(await refused({ id: '../etc' }), /id/);
  t.match(await refused({ surprise: 1 }), /surprise/);
  const twins = {
    schedules: [
      { ...NIGHTLY, id: 'a' },
      { ...NIGHTLY, id: 'a' },
    ],
  };
  const answer = await app.inject({ method: 'PUT', url: '/instances/demo/schedules', headers, payload: twins });
  t.match(answer.json(), { status: 400, detail: /same id/ });
});

t.test("schedules are saved with the caller and the caller's rights on the instance", async (t) => {
  const { app, bearer, cookie, addUser, jobs } = await build(t);
  await addUser('olga', 'viewer', { instances: [{ id: 'demo', role: 'operator' }] });
  const put = (headers: object) =>
    app.inject({
      method: 'PUT',
      url: '/instances/demo/schedules',
      headers: { ...headers },
      payload: { schedules: [] },
    });
  await put(await cookie('olga'));
  await put(await bearer(['servers:write']));
  t.match(jobs.owners, [
    { username: 'olga', kind: 'user', scopes: ['servers:read', 'servers:write', 'backups:create', 'logs:read'] },
    { username: 'command line', kind: 'local', scopes: ['servers:write'], token: { id: 't1', name: 'test' } },
  ]);
  t.equal(jobs.owners[0]?.token, undefined);
  t.equal(jobs.owners[1]?.scopes.length, 1);
  await addUser('vera', 'viewer');
  t.match((await put(await cookie('vera'))).json(), { status: 403, code: 'insufficient_scope' });
});

t.test('only callers who may send commands can read those of schedules', async (t) => {
  const { app, addUser, bearer, cookie } = await build(t);
  const url = '/instances/demo/schedules';
  const command = 'login hunter2';
  const action = { type: 'command', command };
  const headers = await bearer();
  const put = (schedules: object[], more = {}) =>
    app.inject({ method: 'PUT', url, headers: { ...headers, ...more }, payload: { schedules } });
  await put([NIGHTLY, { ...NIGHTLY, id: 'door', action }]);
  const read = async (by: object) => app.inject({ url, headers: { ...by } });

  await addUser('vera', 'viewer');
  await addUser('olga', 'viewer', { instances: [{ id: 'demo', role: 'operator' }] });
  for (const by of [await cookie('vera'), await bearer(['servers:read', 'logs:read'])]) {
    const answer = await read(by);
    t.equal(answer.statusCode, 200);
    t.notMatch(answer.body, /hunter2/);
    t.match(answer.json().schedules, [
      { action: NIGHTLY.action },
      { action: { type: 'command', command: '********' } },
    ]);
    t.not(answer.headers.etag, (await read(headers)).headers.etag, 'commands cannot be guessed from it');
  }
  for (const by of [await cookie('olga'), headers]) t.match((await read(by)).json().schedules[1].action, { command });

  const { schedules } = (await read(await cookie('vera'))).json();
  const back = await put(schedules);
  t.equal(back.statusCode, 200, back.body);
  t.match(back.json().schedules[1].action, { command }, 'sent back, it stays as it is');
  const renamed = { ...schedules[1], id: 'other' };
  isProblem(t, await put([renamed]), 'invalid_request');
  t.match((await read(headers)).json().schedules[1].action, { command }, 'nothing is lost');
});
