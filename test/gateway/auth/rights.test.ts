/** A user who can see only some instances, in every place that shows instances. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import t, { type Test } from 'tap';
import type { Grant } from '../../../shared/domain/access/grant.ts';
import type { Role } from '../../../shared/domain/access/scope.ts';
import { openConsole, portOf, refusalOf } from '../../support/console/console-client.ts';
import { isProblem } from '../../support/http/problem.ts';
import { until } from '../../support/machine/until.ts';
import { build } from '../../support/processes/gateway-app.ts';
import { instanceConfig } from '../../support/stand-ins/stand-in-daemon.ts';
import { BACKUP_ID, backupOf } from '../../support/stand-ins/stand-in-jobs.ts';

/** Instances `demo` and `secret`, and a user with these grants. */
async function world(t: Test, role: Role, instances: Grant[]) {
  const built = await build(t);
  built.daemon.put(instanceConfig({ id: 'secret', name: 'Hidden' }));
  await built.addUser('admin', 'admin');
  await built.addUser('ann', role, { instances });
  return { ...built, headers: await built.cookie('ann') };
}

t.test('lists contain only what the user can see', async (t) => {
  const { app, headers, daemon, jobs, cookie } = await world(t, 'operator', ['demo']);
  await jobs.startBackup({ instanceId: 'demo', cloudReplicate: true, reason: 'manual' });
  await jobs.startBackup({ instanceId: 'secret', cloudReplicate: true, reason: 'manual' });
  const ids = async (url: string, field: string, auth = headers) =>
    (await app.inject({ url, headers: auth })).json().map((entry: Record<string, string>) => entry[field]);
  for (const prefix of ['', '/api/v1']) {
    t.same(await ids(`${prefix}/instances`, 'id'), ['demo']);
    t.same(await ids(`${prefix}/jobs`, 'instanceId'), ['demo']);
  }
  t.same(await ids('/instances', 'id', await cookie('admin')), ['demo', 'secret']);
  daemon.updateUser({ username: 'ann', change: { instances: ['*'] }, by: null });
  await until('the grant takes effect', async () => (await ids('/instances', 'id')).length === 2);
  t.same(await ids('/jobs', 'instanceId'), ['demo', 'secret']);
  daemon.updateUser({ username: 'ann', change: { instances: [] }, by: null });
  await until('the grant is removed', async () => (await ids('/instances', 'id')).length === 0);
  t.same(await ids('/jobs', 'instanceId'), []);
});

t.test('a hidden instance gives the same answer as one that does not exist, in every family', async (t) => {
  const { app, headers, jobs } = await world(t, 'operator', ['demo']);
  jobs.catalogue.set(BACKUP_ID, backupOf('secret'));
  await jobs.startBackup({ instanceId: 'secret', cloudReplicate: true, reason: 'manual' });
  const paths = [
    ...['GET ', 'POST /start', 'POST /stop', 'POST /kill', 'GET /logs', 'GET /players', 'GET /properties'],
    ...['POST /players/Alice/kick', 'POST /backup', 'GET /backups', `GET /backups/${BACKUP_ID}`, 'GET /history'],
    ...[`POST /backups/${BACKUP_ID}/restore`, `DELETE /backups/${BACKUP_ID}`],
  ];
  for (const prefix of ['', '/api/v1'])
    for (const entry of paths) {
      const [method = '', path = ''] = entry.split(' ');
      const ask = (id: string) =>
        app.inject({ method: method as 'GET', url: `${prefix}/instances/${id}${path}`, headers });
      const [hidden, nowhere] = [await ask('secret'), await ask('nowhere')];
      isProblem(t, hidden, 'instance_not_found', `${entry} below "${prefix}"`);
      t.equal(hidden.body.replaceAll('secret', 'nowhere'), nowhere.body, entry);
      t.same(Object.keys(hidden.headers), Object.keys(nowhere.headers), entry);
    }
  const post = { method: 'POST', headers } as const;
  for (const path of ['start', 'restart', 'players/Alice/op', 'console-ticket'])
    isProblem(t, await app.inject({ ...post, url: `/api/instances/secret/${path}` }), 'instance_not_found', path);
  const command = { ...post, url: '/instances/secret/commands', payload: { command: 'list' } };
  isProblem(t, await app.inject(command), 'instance_not_found');
  for (const method of ['GET', 'DELETE'] as const)
    isProblem(t, await app.inject({ method, url: '/jobs/j1', headers }), 'job_not_found', method);
  t.same(jobs.cancelled, []);
  t.equal((await app.inject({ ...post, url: '/instances/demo/start' })).statusCode, 200, 'a granted instance works');
});

t.test('a missing scope is checked before the instance, so that it reveals nothing about instances', async (t) => {
  const { app, headers } = await world(t, 'viewer', ['demo']);
  for (const id of ['demo', 'secret', 'nowhere'])
    isProblem(
      t,
      await app.inject({ method: 'POST', url: `/instances/${id}/start`, headers }),
      'insufficient_scope',
      id,
    );
  for (const id of ['secret', 'nowhere'])
    isProblem(t, await app.inject({ method: 'DELETE', url: `/instances/${id}`, headers }), 'insufficient_scope', id);
});

t.test('a role on a single instance applies there, higher or lower', async (t) => {
  const grants: Grant[] = ['*', { id: 'demo', role: 'operator' }];
  const { app, headers, jobs, daemon } = await world(t, 'viewer', grants);
  const start = (id: string) => app.inject({ method: 'POST', url: `/instances/${id}/start`, headers });
  t.equal((await start('demo')).statusCode, 200);
  isProblem(t, await start('secret'), 'insufficient_scope', 'elsewhere a viewer');
  isProblem(
    t,
    await app.inject({ method: 'DELETE', url: '/instances/demo', headers }),
    'insufficient_scope',
    'no admin',
  );

  await jobs.startBackup({ instanceId: 'demo', cloudReplicate: true, reason: 'manual' });
  await jobs.startBackup({ instanceId: 'secret', cloudReplicate: true, reason: 'manual' });
  t.equal((await app.inject({ method: 'DELETE', url: '/jobs/j1', headers })).statusCode, 204);
  isProblem(t, await app.inject({ method: 'DELETE', url: '/jobs/j2', headers }), 'insufficient_scope');
  t.same(jobs.cancelled, ['j1']);

  daemon.updateUser({
    username: 'ann',
    change: { role: 'operator', instances: ['*', { id: 'demo', role: 'viewer' }] },
    by: null,
  });
  await until('the new grants take effect', async () => (await start('demo')).statusCode === 403);
  t.equal((await app.inject({ url: '/instances/demo', headers })).statusCode, 200);
});

t.test('a token has the present grants of its user', async (t) => {
  const { app, bearer, daemon } = await world(t, 'operator', ['*']);
  const headers = await bearer(['servers:read', 'servers:write'], 'ann');
  const status = async (id: string, path = '/start') =>
    (await app.inject({ method: 'POST', url: `/instances/${id}${path}`, headers })).statusCode;
  t.equal(await status('secret'), 503, 'allowed; 503 because no supervisor runs');
  daemon.updateUser({ username: 'ann', change: { instances: ['demo'] }, by: null });
  await until('the token has lost the grant', async () => (await status('secret')) === 404);
  t.equal(await status('demo', '/restart'), 200);
  t.equal(await status('demo', '/backup'), 403, 'a token never gains scopes');
  daemon.updateUser({ username: 'ann', change: { disabled: true }, by: null });
  await until('a disabled user has no tokens', async () => (await status('demo', '/restart')) === 401);
  daemon.updateUser({
    username: 'ann',
    change: { disabled: false, instances: [{ id: 'demo', role: 'viewer' }] },
    by: null,
  });
  await until('the tokens are back, with the present grants', async () => (await status('demo', '/restart')) === 403);
});

t.test('metrics are only for users who see every instance', async (t) => {
  const { headers, cookie, listener, daemon } = await world(t, 'viewer', ['demo']);
  const open = await listener({ loopback: false });
  isProblem(t, await open.inject({ url: '/metrics', headers }), 'insufficient_scope');
  t.equal((await open.inject({ url: '/metrics', headers: await cookie('admin') })).statusCode, 200);
  daemon.updateUser({ username: 'ann', change: { instances: ['*'] }, by: null });
  await until('all is granted', async () => (await open.inject({ url: '/metrics', headers })).statusCode === 200);
});

t.test('events follow what the user can see at the moment', async (t) => {
  const { app, headers, daemon } = await world(t, 'viewer', ['demo']);
  const request = get({ port: await portOf(app), path: '/events', headers: { cookie: headers.cookie } });
  t.teardown(() => request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const change = (id: string, phase: 'starting' | 'running') => daemon.put(instanceConfig({ id }), { phase });
  change('secret', 'starting');
  change('demo', 'starting');
  await until('the event is received', () => text.includes('"starting"'));
  t.match(text, /"instanceId":"demo"/);
  t.notMatch(text, /secret/);

  daemon.updateUser({ username: 'ann', change: { instances: ['secret'] }, by: null });
  await until('the event of the other instance is received', () => {
    change('secret', 'running');
    change('secret', 'starting');
    return text.includes('secret');
  });
  const seen = text.length;
  change('demo', 'running');
  change('secret', 'running');
  await until('another event is received', () => text.slice(seen).includes('"running"'));
  t.notMatch(text.slice(seen), /demo/);

  const ended = once(response, 'end');
  daemon.removeUser({ username: 'ann', by: null });
  await ended;
});

t.test('a console closes when the grant is removed, and takes no commands from a viewer', async (t) => {
  const { app, headers, daemon, supervisor } = await world(t, 'operator', ['*']);
  const [mine, other] = [
    await openConsole(t, app, { headers: { cookie: headers.cookie } }),
    await openConsole(t, app, { headers: { cookie: headers.cookie } }),
  ];
  mine.socket.send('list');
  await until('the command has arrived', () => supervisor.heard.includes('list'));

  daemon.updateUser({ username: 'ann', change: { instances: [{ id: 'demo', role: 'viewer' }] }, by: null });
  await until('commands are refused', () => {
    mine.socket.send('stop');
    return mine.text().includes('[gamekeeper] not allowed');
  });
  const heard = supervisor.heard.length;
  mine.socket.send('op mallory');
  await mine.until(({ text }) => text().split('not allowed').length > 2);
  t.equal(supervisor.heard.length, heard);

  const closed = Promise.all([mine.closed(), other.closed()]);
  daemon.updateUser({ username: 'ann', change: { instances: ['secret'] }, by: null });
  t.match(await closed, [{ code: 1008 }, { code: 1008 }]);
  const again = await refusalOf(t, app, { headers: { cookie: headers.cookie } });
  isProblem(t, again, 'instance_not_found');
});

t.test('deleting an instance removes its grants, also for a new one with the same id', async (t) => {
  const { app, headers, daemon, cookie } = await world(t, 'viewer', ['demo', 'secret']);
  const status = async (auth = headers) => (await app.inject({ url: '/instances/secret', headers: auth })).statusCode;
  const admin = await cookie('admin');
  t.equal(await status(), 200);
  await daemon.deleteInstance({ id: 'secret', files: 'keep', backups: 'keep' });
  await until('the instance is gone', async () => (await status()) === 404);
  daemon.put(instanceConfig({ id: 'secret' }));
  await until('the new instance is known', async () => (await status(admin)) === 200);
  t.equal(await status(), 404);
});
