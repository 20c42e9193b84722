/**
 * A user who may use one server cannot reach another one or another account, neither by its id nor by ids of its backups, jobs and tokens
 * (Pelican GHSA-v97c-v3vw-p5ff: restoring a backup of another server; Crafty CVE-2026-5652: users API with other users' ids; Panel
 * CVE-2026-26016: configuration of other nodes).
 */
import t from 'tap';
import type { Backup } from '../../shared/schema/backup.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import type { Job } from '../../shared/schema/job.ts';
import { administrator, newUser } from '../support/browser/panel-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('resources of other servers and users are not accessible', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const admin = await administrator(gamekeeper);
  for (const name of ['Mine', 'Secret']) await admin.ask('POST', '/instances', { name, software: 'demo' });
  const { backupId: theirs } = (await admin.ask<Backup>('POST', '/instances/secret/backup')).body;
  const { backupId: own } = (await admin.ask<Backup>('POST', '/instances/mine/backup')).body;
  const user = await newUser(gamekeeper, admin, { username: 'mallory', role: 'operator', instances: ['mine'] });

  await t.test('backups of another server', async (t) => {
    const path = `/instances/mine/backups/${theirs}`;
    for (const [method, below] of [
      ['GET', ''],
      ['POST', '/restore'],
      ['POST', '/verify'],
      ['PATCH', ''],
      ['DELETE', ''],
    ] as const) {
      const { status, body } = await user.ask<{ code: string }>(
        method,
        path + below,
        method === 'PATCH' ? { pinned: true } : undefined,
      );
      t.same([status, body.code], [404, 'backup_not_found'], `${method} ${below}`);
    }
    t.equal((await user.ask('GET', `${path}/archive`)).status, 403, 'archives are for administrators');
    for (const method of ['GET', 'DELETE'])
      t.equal(
        (await user.ask(method, `/instances/secret/backups/${theirs}`)).status,
        404,
        'under the id of the other server',
      );
    t.match((await user.ask('GET', '/instances/mine/backups')).body, [{ backupId: own }]);
    t.equal((await user.ask('GET', `/instances/mine/backups/${own}`)).status, 200);
    t.equal((await admin.ask('GET', `/instances/secret/backups/${theirs}`)).status, 200, 'the backup still exists');
  });

  await t.test('jobs, lists and similar ids', async (t) => {
    const all = (await admin.ask<Job[]>('GET', '/jobs')).body;
    t.ok(all.some(({ instanceId }) => instanceId === 'secret'));
    t.ok((await user.ask<Job[]>('GET', '/jobs')).body.every(({ instanceId }) => instanceId === 'mine'));
    for (const { jobId, instanceId } of all)
      t.equal((await user.ask('GET', `/jobs/${jobId}`)).status, instanceId === 'mine' ? 200 : 404, instanceId);
    t.same(
      (await user.ask<Instance[]>('GET', '/instances')).body.map(({ id }) => id),
      ['mine'],
    );
    const nearly = [
      'secret',
      'Secret',
      '%73ecret',
      'mine/../secret',
      'mine%2f..%2fsecret',
      'mine/%2e%2e/secret',
      'secret%00',
      '*',
    ];
    for (const id of nearly)
      for (const path of ['/logs', '/properties', '/players', ''])
        t.equal((await user.ask('GET', `/instances/${id}${path}`)).status, 404, id + path);
    t.notMatch(JSON.stringify((await user.ask('GET', '/instances/secret/logs')).body), /Secret/);
  });

  await t.test('users, tokens, settings and the audit', async (t) => {
    const refused: [string, string, object?][] = [
      ['GET', '/api/users'],
      ['GET', '/api/users/admin'],
      ['GET', '/api/users/mallory'],
      ['PATCH', '/api/users/mallory', { role: 'admin' }],
      ['PATCH', '/api/users/mallory', { instances: ['*'] }],
      ['PATCH', '/api/users/admin', { password: 'mine from now on' }],
      ['DELETE', '/api/users/admin'],
      ['POST', '/api/users', { username: 'eve', role: 'admin', password: 'longer than 8' }],
      ['GET', '/api/tokens'],
      ['POST', '/api/tokens', { name: 'mine' }],
      ['GET', '/api/settings'],
      ['GET', '/api/audit'],
      ['PATCH', '/instances/mine', { name: 'Renamed' }],
    ];
    for (const [method, path, body] of refused)
      t.equal((await user.ask(method, path, body)).status, 403, `${method} ${path} ${JSON.stringify(body ?? '')}`);
    const mass = {
      currentPassword: gamekeeper.password,
      newPassword: 'longer than 8',
      role: 'admin',
      username: 'admin',
    };
    t.equal((await user.ask('PUT', '/api/password', mass)).status, 400, 'additional fields are refused');
    t.match((await admin.ask('GET', '/api/users/mallory')).body, { role: 'operator', instances: ['mine'] });
    t.match((await admin.ask<unknown[]>('GET', '/api/users')).body.length, 2);
  });
});
