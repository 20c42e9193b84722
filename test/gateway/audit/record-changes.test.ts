import t, { type Test } from 'tap';
import type { AuditPage } from '../../../shared/schema/audit.ts';
import { openConsole } from '../../support/console/console-client.ts';
import { isProblem } from '../../support/http/problem.ts';
import { until } from '../../support/machine/until.ts';
import { build, PASSWORD } from '../../support/processes/gateway-app.ts';

/** A gateway and what its administrator reads of the audit trail. */
async function audited(t: Test) {
  const world = await build(t);
  await world.addUser('admin', 'admin');
  const headers = await world.cookie('admin');
  const page = async (query = ''): Promise<AuditPage> =>
    (await world.app.inject({ url: `/api/audit${query}`, headers })).json();
  return { ...world, headers, page };
}

t.test('a change is recorded before it is answered: who, from where, what and the result', async (t) => {
  const { app, headers, bearer, page, daemon, listener } = await audited(t);
  const local = await listener({ local: true });
  const remoteAddress = '192.0.2.7';
  await app.inject({
    method: 'POST',
    url: '/api/instances/demo/start?x=query',
    headers: { ...headers, 'x-request-id': 'r1', 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' },
    remoteAddress,
  });
  t.equal(daemon.audited.length, 1, 'the entry exists when the response arrives');
  await app.inject({ method: 'DELETE', url: '/instances/none', headers: await bearer(), remoteAddress });
  await app.inject({ method: 'POST', url: '/api/v1/instances/demo/stop', headers: await bearer(['logs:read']) });
  const payload = { name: 'New one', software: 'demo' };
  await local.inject({ method: 'POST', url: '/instances', payload });
  const { entries, next } = await page();
  t.equal(next, null);
  t.ok(entries.every(({ at, id }) => Math.abs(Date.parse(at) - Date.now()) < 10_000 && id > 0));
  t.same(
    entries.map(({ at, id, requestId, ...rest }) => rest),
    [
      { who: 'command line', from: '127.0.0.1', method: 'POST', path: '/instances', instance: 'new-one', status: 201 },
      {
        who: 'command line (token test)',
        from: '127.0.0.1',
        method: 'POST',
        path: '/api/v1/instances/demo/stop',
        instance: 'demo',
        status: 403,
      },
      {
        who: 'command line (token test)',
        from: remoteAddress,
        method: 'DELETE',
        path: '/instances/none',
        instance: 'none',
        status: 404,
      },
      {
        who: 'admin',
        from: remoteAddress,
        method: 'POST',
        path: '/api/instances/demo/start',
        instance: 'demo',
        status: 200,
      },
    ],
    'newest first; forwarded addresses are ignored',
  );
  t.equal(entries.at(-1)?.requestId, 'r1');
});

t.test('reads, requests without credentials and rate-limited requests are not recorded', async (t) => {
  const { app, headers, page, daemon } = await audited(t);
  for (const url of ['/instances', '/api/users', '/api/audit', '/nowhere']) await app.inject({ url, headers });
  await app.inject({ method: 'POST', url: '/instances/demo/start' });
  await app.inject({ method: 'POST', url: '/instances/demo/start', headers: { authorization: 'Bearer x' } });
  await app.inject({ method: 'POST', url: '/api/login', payload: { username: 'admin' } });
  t.same(daemon.audited, []);
  t.same(await page(), { entries: [], next: null });
});

t.test('sign-ins are recorded, failed ones with the name of an existing user only', async (t) => {
  const { app, headers, page, daemon, addUser, cookie } = await audited(t);
  await addUser('Ann', 'viewer');
  const login = (username: string, password: string) =>
    app.inject({ method: 'POST', url: '/api/login', payload: { username, password }, remoteAddress: '192.0.2.7' });
  await login('ANN', PASSWORD);
  await login('ann', 'a wrong one');
  await login('typed my pass-word here', 'whatever');
  for (let n = 0; n < 5; n++) await login('ann', 'guess');
  await app.inject({ method: 'POST', url: '/api/logout', headers: await cookie('Ann') });
  await app.inject({ method: 'POST', url: '/api/logout' });
  const patch = { method: 'PATCH', url: '/api/users/ann', headers, payload: { password: 'n3w pass-word' } } as const;
  t.equal((await app.inject(patch)).statusCode, 200);
  t.same(
    (await page()).entries.map(({ who, path, status }) => `${who} ${path} ${status}`),
    [
      'admin /api/users/ann 200',
      'Ann /api/logout 204',
      ...Array.from({ length: 4 }, () => 'Ann /api/login 401'),
      'unknown user /api/login 401',
      'Ann /api/login 401',
      'Ann /api/login 200',
    ],
    'rate-limited attempts are not recorded',
  );
  t.notMatch(JSON.stringify(daemon.audited), /pass-word|wrong one|guess/);
});

t.test('the first word of a console command is recorded, over every way to send one', async (t) => {
  const { app, headers, page, daemon } = await audited(t);
  const console = await openConsole(t, app, { headers: { cookie: headers.cookie } });
  for (const line of ['op Alice', '/login hunter2 hunter2', 'hunter2', 'save-all', 'msg Bob meet me at 1 2 3'])
    console.socket.send(line);
  await until('the entries are recorded', () => daemon.audited.length === 5);
  const command = { method: 'POST', url: '/instances/demo/commands', headers } as const;
  await app.inject({ ...command, payload: { command: 'ban Mallory for hunter2' } });
  const { entries } = await page();
  t.same(
    entries.map(({ method, path, command, instance }) => ({ method, path, command, instance })),
    [
      { method: 'POST', path: '/instances/demo/commands', command: 'ban', instance: 'demo' },
      ...['msg', 'save-all', undefined, 'login', 'op'].map((word) => ({
        method: 'WS',
        path: '/ws/instances/demo/console',
        command: word,
        instance: 'demo',
      })),
    ],
  );
  t.notMatch(JSON.stringify(daemon.audited), /hunter2|Alice|meet/);
});

t.test('the audit is read page by page, by user or instance, while entries are added', async (t) => {
  const { app, headers, page, addUser, cookie, bearer, daemon } = await audited(t);
  await addUser('Ann', 'operator');
  const ann = await cookie('Ann');
  const act = (auth: object, id = 'demo') =>
    app.inject({ method: 'POST', url: `/instances/${id}/restart`, headers: { ...auth } });
  for (let n = 0; n < 5; n++) await act(ann);
  await act(await bearer(['servers:write'], 'Ann'), 'other');
  await act(headers);

  const seen: number[] = [];
  let query = '?limit=3';
  for (let pages = 0; ; pages++) {
    const { entries, next } = await page(query);
    seen.push(...entries.map(({ id }) => id));
    if (next === null) {
      t.equal(pages, 2);
      break;
    }
    await act(headers);
    query = `?limit=3&before=${next}`;
  }
  t.equal(seen.length, 7);
  t.same(
    seen,
    [...seen].sort((a, b) => b - a),
    'each entry once, in order',
  );
  const whos = async (filter: string) => (await page(filter)).entries.map(({ who }) => who);
  t.same(await whos('?who=ann&limit=2'), ['Ann (token test)', 'Ann']);
  t.same(await whos('?instance=other'), ['Ann (token test)']);
  t.same(await whos('?instance=other&who=admin'), []);
  t.same(await whos("?who=' OR 1=1 --"), []);
  t.equal((await page('?limit=7')).entries.length, 7);

  for (const bad of ['?limit=0', '?limit=1001', '?limit=x', '?before=-1', '?before=x', '?who='])
    isProblem(t, await app.inject({ url: `/api/audit${bad}`, headers }), 'invalid_request', bad);
  for (const auth of [ann, await bearer()])
    isProblem(t, await app.inject({ url: '/api/audit', headers: auth }), 'insufficient_scope', 'for administrators');
  t.equal(daemon.audited.filter(({ path }) => path === '/api/audit').length, 0);
});

t.test('hostile text is stored as it is and returned as data', async (t) => {
  const { app, headers, page } = await audited(t);
  const name = '<img src=x onerror=alert(1)>';
  const evil = { ...headers, 'user-agent': '<script>', referer: '<script>', 'x-request-id': '<script>' };
  await app.inject({ method: 'POST', url: `/instances/${encodeURIComponent(name)}/start`, headers: evil });
  await app.inject({ method: 'POST', url: `/instances/demo/${'x'.repeat(2_000)}`, headers });
  await app.inject({ method: 'DELETE', url: `/api/tokens/%27);DROP%20TABLE%20audit;--`, headers });
  const answer = await app.inject({ url: '/api/audit', headers });
  t.match(answer.headers, { 'content-type': /^application\/json/, 'x-content-type-options': 'nosniff' });
  const { entries } = await page();
  t.match(entries, [
    { path: '/api/tokens/%27);DROP%20TABLE%20audit;--', status: 404 },
    { path: '/instances/%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E/start', instance: name, status: 404 },
  ]);
  t.match(entries[1]?.requestId, /^[0-9a-f-]{36}$/);
  t.notMatch(answer.body, /<script>/);
});
