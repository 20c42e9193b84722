import t from 'tap';
import { isProblem } from '../../support/http/problem.ts';
import { build } from '../../support/processes/gateway-app.ts';

t.test('an invalid value is 400 and names the field', async (t) => {
  const { app, bearer } = await build(t);
  const headers = await bearer();
  const cases: [
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    url: string,
    payload: object | undefined,
    detail: RegExp,
  ][] = [
    ['GET', '/instances/demo/logs?lines=0', undefined, /"lines": must be at least 1/],
    ['GET', '/instances/demo/logs?lines=1001', undefined, /"lines": must be at most 1000/],
    ['GET', '/instances/demo/logs?lines=ten', undefined, /"lines": must be a whole number/],
    ['GET', '/instances/demo/logs?lines=', undefined, /"lines"/],
    ['GET', '/instances/demo/logs?lines=1&lines=2', undefined, /"lines"/],
    ['POST', '/instances', {}, /"name" is required; "software" is required/],
    ['POST', '/instances', { name: '', software: 'demo' }, /"name"/],
    ['POST', '/instances', { name: 'x', software: 'demo', colour: 'red' }, /"colour" is not a known field/],
    ['POST', '/instances', { name: 'x', software: 'demo', id: '../x' }, /"id": /],
    ['POST', '/instances', { name: 'x', software: 'demo', port: 70_000 }, /"port"/],
    ['PATCH', '/instances/demo', { id: 'other' }, /"id" is not a known field/],
    ['DELETE', '/instances/demo?files=shred', undefined, /"files"/],
    ['POST', '/instances/demo/commands', {}, /"command" is required/],
    ['POST', '/instances/demo/commands', { command: 'a\nb' }, /"command": must be one line/],
    [
      'POST',
      '/instances/demo/commands',
      { command: 'ä'.repeat(724) },
      /"command": must be one line of at most 1446 bytes/,
    ],
    ['POST', '/instances/demo/players/@a/kick', undefined, /"name"/],
    ['POST', '/instances/demo/players/two%20words/kick', undefined, /"name"/],
    ['POST', '/instances/demo/players/Alice/kick', { reason: 'a\nb' }, /"reason": must not hold control characters/],
    ['PUT', '/instances/demo/properties', { properties: { motd: 1 } }, /"properties.motd"/],
    ['POST', '/instances/demo/backup', { cloudReplicate: 'yes' }, /"cloudReplicate"/],
    ['GET', '/instances/%zz', undefined, /percent/],
  ];
  for (const [method, url, payload, detail] of cases) {
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
    isProblem(t, answer, 'invalid_request', `${method} ${url} ${JSON.stringify(payload)}`);
    t.match(answer.json().detail, detail);
  }
});

t.test('the fields of an invalid body are listed with their rules', async (t) => {
  const { app, bearer } = await build(t);
  const payload = { software: 'demo', name: 'x'.repeat(65), port: 70_000 };
  const answer = await app.inject({ method: 'POST', url: '/instances', headers: await bearer(), payload });
  isProblem(t, answer, 'invalid_request');
  t.match(answer.json().errors, [
    { field: 'name', rule: 'too_long', limit: 64 },
    { field: 'port', rule: 'too_big', limit: 65_535 },
  ]);
});

t.test('an unreadable body is 400 with the reason', async (t) => {
  const { app, bearer } = await build(t);
  const auth = await bearer();
  const post = (payload: string, contentType?: string) =>
    app.inject({
      method: 'POST',
      url: '/instances/demo/backup',
      headers: { ...auth, ...(contentType && { 'content-type': contentType }) },
      payload,
    });
  isProblem(t, await post('{"cloudReplicate":', 'application/json'), 'invalid_request', 'malformed JSON');
  isProblem(t, await post('{"__proto__":{}}', 'application/json'), 'invalid_request', 'a key that reaches a prototype');
  isProblem(t, await post('a=b', 'application/x-www-form-urlencoded'), 'unsupported_media_type');
  isProblem(t, await post('hello', 'text/plain'), 'unsupported_media_type', 'plain text');
  isProblem(t, await post('{}', 'nonsense'), 'unsupported_media_type', 'an invalid media type');
  isProblem(t, await post(`"${'x'.repeat(1024 * 1024)}"`, 'application/json'), 'body_too_large');
});

t.test('an empty body counts as none, whatever its content type', async (t) => {
  const { app, bearer, jobs } = await build(t);
  const headers = await bearer();
  for (const type of [
    undefined,
    'application/json',
    'application/json; charset=utf-8',
    'application/x-www-form-urlencoded',
  ]) {
    const answer = await app.inject({
      method: 'POST',
      url: '/instances/demo/backup',
      headers: { ...headers, 'content-length': '0', ...(type && { 'content-type': type }) },
    });
    t.equal(answer.statusCode, 200, type ?? 'none');
  }
  t.ok(
    jobs.started.every(({ cloudReplicate }) => cloudReplicate === true),
    'replicates by default',
  );
  await app.inject({ method: 'POST', url: '/instances/demo/backup', headers, payload: { cloudReplicate: false } });
  t.equal(jobs.started.at(-1)?.cloudReplicate, false);
});

t.test('an unknown path is 404, a known one with another method 405 with Allow', async (t) => {
  const { app } = await build(t);
  for (const url of ['/nothing', '/instances/demo/nothing', '/api/v2/health', '/ws/nothing'])
    isProblem(t, await app.inject(url), 'route_not_found', url);
  const cases = {
    '/health': 'GET, HEAD',
    '/instances/demo': 'DELETE, GET, HEAD, PATCH',
    '/instances/demo/start': 'POST',
  };
  for (const [url, allow] of Object.entries(cases)) {
    const answer = await app.inject({ method: 'PUT', url });
    isProblem(t, answer, 'method_not_allowed', url);
    t.equal(answer.headers.allow, allow);
  }
  isProblem(t, await app.inject({ method: 'OPTIONS', url: '/health' }), 'method_not_allowed', 'OPTIONS');
});

t.test('errors of the daemon and supervisors keep their code and detail', async (t) => {
  const { app, bearer, supervisor, jobs } = await build(t);
  const headers = await bearer();
  const post = (url: string, payload?: object) =>
    app.inject({ method: 'POST', url, headers, ...(payload && { payload }) });
  isProblem(t, await post('/instances/demo/stop'), 'invalid_state');
  supervisor.runtime = { phase: 'running' };
  isProblem(t, await post('/instances/demo/start'), 'invalid_state', 'start while running');
  isProblem(t, await post('/instances', { name: 'Demo', id: 'demo', software: 'demo' }), 'instance_exists');
  isProblem(t, await post('/instances/demo/commands', { command: 'fail' }), 'command_rejected');
  isProblem(t, await post('/instances/demo/players/Nobody/kick'), 'player_not_found');
  const { GamekeeperError } = await import('../../../shared/errors/gamekeeper-error.ts');
  jobs.failure = new GamekeeperError('insufficient_storage', '2 GB are needed, 1 GB is free.');
  isProblem(t, await post('/instances/demo/backup'), 'insufficient_storage');
});

t.test('an internal error shows only its request id', async (t) => {
  const { app, bearer, jobs } = await build(t);
  jobs.verification = () => null;
  jobs.catalogue.set(
    '20261120T081500Z-4f9c2a',
    (await import('../../support/stand-ins/stand-in-jobs.ts')).backupOf('demo'),
  );
  const headers = { ...(await bearer()), 'x-request-id': 'my-id.1' };
  const answer = await app.inject({
    method: 'POST',
    url: '/instances/demo/backups/20261120T081500Z-4f9c2a/verify',
    headers,
  });
  isProblem(t, answer, 'internal_error');
  t.equal(answer.headers['x-request-id'], 'my-id.1', 'the caller may choose the id');
  const hostile = await app.inject({ url: '/health', headers: { 'x-request-id': '<script>' } });
  t.match(hostile.headers['x-request-id'], /^[0-9a-f-]{36}$/, 'an invalid id is replaced');
});
