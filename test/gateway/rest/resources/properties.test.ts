import t from 'tap';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { PropertiesSchema } from '../../../../shared/schema/properties.ts';
import { isProblem } from '../../../support/http/problem.ts';
import { until } from '../../../support/machine/until.ts';
import { build } from '../../../support/processes/gateway-app.ts';
import { instanceConfig } from '../../../support/stand-ins/stand-in-daemon.ts';

for (const base of ['/instances/demo', '/api/v1/instances/demo', '/api/instances/demo'])
  t.test(`${base}/properties is versioned`, async (t) => {
    const { app, bearer } = await build(t);
    const url = `${base}/properties`;
    const headers = await bearer();
    const read = await app.inject({ url, headers });
    t.same(read.json(), { properties: { 'server-port': '25565' } });
    t.match(read.headers.etag, /^"[^"]+"$/);
    const put = (ifMatch: string | undefined, motd: string) =>
      app.inject({
        method: 'PUT',
        url,
        headers: { ...headers, ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
        payload: { properties: { motd } },
      });

    const first = await put(String(read.headers.etag), 'one');
    t.equal(first.statusCode, 200);
    t.same(first.json(), { properties: { 'server-port': '25565', motd: 'one' } });
    t.not(first.headers.etag, read.headers.etag);
    isProblem(t, await put(String(read.headers.etag), 'two'), 'precondition_failed');
    isProblem(t, await put(`W/${String(first.headers.etag)}`, 'two'), 'precondition_failed', 'weak tags match nothing');
    t.equal(
      (await put(`"other", ${String(first.headers.etag)}`, 'two')).statusCode,
      200,
      'one of several tags matches',
    );
    t.equal((await put('*', 'three')).statusCode, 200, 'any version');
    t.equal((await put(undefined, 'four')).statusCode, 200, 'without a condition');
  });

t.test('the schema of the properties depends on software and version', async (t) => {
  const { app, bearer, daemon } = await build(t);
  const headers = await bearer(['servers:read']);
  const schemaOf = async (software: string, version: string) => {
    daemon.put(instanceConfig({ id: software, software, version }));
    await until(
      'it is known',
      async () => (await app.inject({ url: `/instances/${software}`, headers })).json().version === version,
    );
    const answer = await app.inject({ url: `/instances/${software}/properties/schema`, headers });
    t.equal(answer.statusCode, 200);
    return answer.json<PropertiesSchema>();
  };
  const paper = await schemaOf('paper', '1.21.4');
  t.equal(paper.file, 'server.properties');
  const property = (key: string) => paper.properties.find((candidate) => candidate.key === key);
  t.same(property('server-port'), {
    ...{ key: 'server-port', type: 'integer', minimum: 1, maximum: 65_535, default: '25565', setting: 'port' },
    ...{ description: 'Port that players connect to (TCP).', secret: false, takesEffect: 'restart' },
  });
  t.match(property('difficulty'), { type: 'choice', choices: ['peaceful', 'easy', 'normal', 'hard'], live: 'command' });
  t.match(property('motd'), { live: 'management', takesEffect: 'restart' });
  t.match(property('rcon.password'), { secret: true });
  t.match(property('level-seed'), { takesEffect: 'new-world' });
  t.equal(property('management-server-port'), undefined, 'unknown in this version');
  t.match(
    (await schemaOf('bedrock', '1.21.100.7')).properties.find(({ key }) => key === 'server-portv6'),
    { default: '19133' },
  );
  t.same(await schemaOf('velocity', '3.4.0'), { file: 'velocity.toml', properties: [] });
});

t.test('changing the port in one place changes it in the other at once', async (t) => {
  const { app, bearer, daemon, supervisor } = await build(t);
  const headers = await bearer();
  const port = async () => (await app.inject({ url: '/instances/demo', headers })).json().port;
  supervisor.setProperties = async ({ properties }) => {
    await daemon.adoptSettings({ id: 'demo', settings: { port: 4000 } });
    return { properties, etag: '"2"', effects: { 'server-port': 'restart' } };
  };
  const payload = { properties: { 'server-port': '4000' } };
  const put = async (body: object) =>
    (await app.inject({ method: 'PUT', url: '/instances/demo/properties', headers, payload: body })).json();
  const changed = { ...payload, effects: { 'server-port': 'restart' } };
  t.same(await put(payload), changed);
  t.same(await put(changed), changed, 'an answer can be sent back');
  t.equal(await port(), 4000);

  let looked = 0;
  supervisor.properties = async () => {
    looked++;
    return { properties: { 'server-port': '4001' }, etag: '"3"' };
  };
  const patch = (change: object) => app.inject({ method: 'PATCH', url: '/instances/demo', headers, payload: change });
  t.equal((await patch({ port: 4001 })).json().port, 4001);
  t.equal(looked, 1, 'the file is updated');
  await patch({ name: 'Other' });
  t.equal(looked, 1, 'no update for settings that are not in the file');
  supervisor.properties = () => Promise.reject(new GamekeeperError('invalid_state', 'It is broken.'));
  t.equal((await patch({ port: 4002 })).json().port, 4002, 'succeeds even with an invalid file');
});
