import t from 'tap';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { isProblem } from '../../../support/http/problem.ts';
import { build } from '../../../support/processes/gateway-app.ts';
import { BACKUP_ID, backupOf } from '../../../support/stand-ins/stand-in-jobs.ts';

const files = `/instances/demo/backups/${BACKUP_ID}/files`;

t.test('a folder of a backup is listed in pages, in every family', async (t) => {
  const world = await build(t);
  world.jobs.catalogue.set(BACKUP_ID, backupOf('demo'));
  const headers = await world.bearer();
  for (const prefix of ['', '/api/v1']) {
    const first = await world.app.inject({ url: `${prefix}${files}?limit=1`, headers });
    t.match(first.json(), { entries: [{ name: 'world', kind: 'folder', sizeBytes: 0 }], next: '1' });
    const last = await world.app.inject({ url: `${prefix}${files}?path=&cursor=1`, headers });
    t.same(last.json(), {
      entries: [{ name: 'server.properties', kind: 'file', sizeBytes: 7, modifiedAt: '2026-11-20T08:15:00.000Z' }],
    });
  }
  for (const query of ['limit=0', 'limit=1001', 'cursor=x', 'cursor=-1', `path=${'x'.repeat(8_193)}`])
    isProblem(t, await world.app.inject({ url: `${files}?${query}`, headers }), 'invalid_request', query);
  isProblem(t, await world.app.inject({ url: `${files}?path=none`, headers }), 'file_not_found');
});

t.test('a file of a backup is downloaded', async (t) => {
  const world = await build(t);
  world.jobs.catalogue.set(BACKUP_ID, backupOf('demo'));
  const headers = await world.bearer();
  const url = `${files}/content?path=server.properties`;
  const answer = await world.app.inject({ url, headers });
  t.match(answer, { statusCode: 200, body: 'motd=hi' });
  t.match(answer.headers, {
    'content-type': 'application/octet-stream',
    'content-length': '7',
    'last-modified': 'Fri, 20 Nov 2026 08:15:00 GMT',
    'content-disposition': "attachment; filename*=UTF-8''server.properties",
  });
  const head = await world.app.inject({ method: 'HEAD', url, headers });
  t.match(head, { statusCode: 200, headers: { 'content-length': '7' }, body: '' });
  isProblem(t, await world.app.inject({ url: `${files}/content?path=none`, headers }), 'file_not_found');
  isProblem(t, await world.app.inject({ url: `${files}/content`, headers }), 'file_not_found');
});

t.test('a download that cannot begin is an error, and one that breaks never looks complete', async (t) => {
  const world = await build(t);
  world.jobs.catalogue.set(BACKUP_ID, backupOf('demo'));
  const headers = await world.bearer();
  world.jobs.sendBackupFile = async () => {
    throw new GamekeeperError('backup_damaged', 'The checksum of "server.properties" is wrong.');
  };
  const url = `${files}/content?path=server.properties`;
  isProblem(t, await world.app.inject({ url, headers }), 'backup_damaged');
});

t.test('a backup is compared with today, in pages', async (t) => {
  const world = await build(t);
  world.jobs.catalogue.set(BACKUP_ID, backupOf('demo'));
  const headers = await world.bearer();
  const first = await world.app.inject({ url: `${files}/compare`, headers });
  t.match(first.json(), {
    differences: [{ path: 'new.txt', change: 'added', today: { sizeBytes: 7 } }],
    next: /^[\w-]+$/,
  });
  const last = await world.app.inject({ url: `${files}/compare?cursor=${first.json().next}`, headers });
  t.same(last.json(), { differences: [] });
  isProblem(t, await world.app.inject({ url: `${files}/compare?cursor=%2F`, headers }), 'invalid_request');
  isProblem(t, await world.app.inject({ url: `${files}/compare?path=none`, headers }), 'file_not_found');
});

t.test('single files are restored by a job', async (t) => {
  const world = await build(t);
  world.jobs.catalogue.set(BACKUP_ID, backupOf('demo'));
  const headers = await world.bearer();
  const restore = (payload: object, more = {}) =>
    world.app.inject({ method: 'POST', url: `${files}/restore`, headers: { ...headers, ...more }, payload });
  const answer = await restore({ paths: ['server.properties'] });
  t.equal(answer.statusCode, 200);
  t.match(answer.json(), { success: true, message: `"server.properties" of "Demo" came back from ${BACKUP_ID}.` });
  const accepted = await restore({ paths: ['server.properties'] }, { prefer: 'respond-async' });
  t.equal(accepted.statusCode, 202);
  t.match(accepted.json(), { kind: 'restore', backupId: BACKUP_ID });
  isProblem(t, await restore({ paths: ['none'] }), 'file_not_found');
  for (const payload of [{}, { paths: [] }, { paths: 'x' }, { paths: Array(101).fill('x') }, { paths: ['x'], y: 1 }])
    isProblem(t, await restore(payload), 'invalid_request', JSON.stringify(payload).slice(0, 40));
});
