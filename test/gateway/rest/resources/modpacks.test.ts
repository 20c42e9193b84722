import t from 'tap';
import { isProblem } from '../../../support/http/problem.ts';
import { build } from '../../../support/processes/gateway-app.ts';

t.test('an administrator finds a modpack, its versions, and creates a server from it', async (t) => {
  const { app, bearer, jobs } = await build(t);
  const headers = await bearer();
  for (const prefix of ['', '/api/v1']) {
    const found = await app.inject({ url: `${prefix}/modpacks?query=pack&limit=5`, headers });
    t.match(found.json(), { hits: [{ slug: 'pack', description: 'pack' }], offset: 0, limit: 5 });
    const listed = await app.inject({ url: `${prefix}/modpacks/pack/versions`, headers });
    t.match(listed.json(), { versions: [{ versionId: 'Pack1', gameVersions: ['1.21.8'], suggestedMemoryMb: 4_096 }] });
    const url = `${prefix}/instances/modpack`;
    const payload = { project: 'pack', version: 'Pack1', memoryMb: 3072, start: prefix === '' };
    const made = await app.inject({ method: 'POST', url, headers, payload });
    t.equal(made.statusCode, 201, made.body);
    t.equal(made.headers.location, `${prefix}/instances/demo`);
    t.match(made.json(), { id: 'demo', status: 'stopped' });
  }
  t.match(jobs.modpacks, [
    { project: 'pack', version: 'Pack1', memoryMb: 3072, acceptEula: false, autoStart: false, start: true },
    { start: false },
  ]);
  isProblem(t, await app.inject({ url: '/modpacks/none/versions', headers }), 'mod_not_found');
});

t.test('the creation can be watched as a job', async (t) => {
  const { app, bearer } = await build(t);
  const headers = { ...(await bearer()), prefer: 'respond-async' };
  const answer = await app.inject({
    method: 'POST',
    url: '/instances/modpack',
    headers,
    payload: { project: 'pack' },
  });
  t.equal(answer.statusCode, 202);
  t.match(answer.json(), { kind: 'import', instanceId: 'demo' });
});

t.test('an invalid request is 400, and the modpack alone decides about software and version', async (t) => {
  const { app, bearer, jobs } = await build(t);
  const headers = await bearer();
  const url = '/instances/modpack';
  for (const payload of [
    ...[{}, { project: '' }, { project: '../../v2/users' }, { project: 'pack', version: '' }],
    ...[
      { project: 'pack', software: 'paper' },
      { project: 'pack', launch: { command: ['sh'] } },
    ],
    ...[
      { project: 'pack', directory: '/srv' },
      { project: 'pack', memoryMb: 1 },
    ],
  ])
    isProblem(
      t,
      await app.inject({ method: 'POST', url, headers, payload }),
      'invalid_request',
      JSON.stringify(payload),
    );
  for (const query of ['limit=0', 'limit=101', 'offset=-1', `query=${'x'.repeat(201)}`])
    t.equal((await app.inject({ url: `/modpacks?${query}`, headers })).statusCode, 400, query);
  t.same(jobs.modpacks, []);
});

t.test('one credential cannot use up the rate limit of Modrinth', async (t) => {
  const { app, bearer } = await build(t);
  const headers = await bearer();
  for (let asked = 0; asked < 15; asked++) t.equal((await app.inject({ url: '/modpacks', headers })).statusCode, 200);
  isProblem(t, await app.inject({ url: '/modpacks', headers }), 'rate_limited');
  isProblem(t, await app.inject({ url: '/modpacks/pack/versions', headers }), 'rate_limited');
  const payload = { project: 'pack' };
  isProblem(t, await app.inject({ method: 'POST', url: '/instances/modpack', headers, payload }), 'rate_limited');
  isProblem(t, await app.inject({ url: '/instances/demo/mods/search', headers }), 'rate_limited');
  t.equal((await app.inject({ url: '/modpacks', headers: await bearer() })).statusCode, 200, 'others still can');
});
