import t from 'tap';
import type { Scope } from '../../../../shared/domain/access/scope.ts';
import { isProblem } from '../../../support/http/problem.ts';
import { build, type World } from '../../../support/processes/gateway-app.ts';
import { ARCHIVE, BACKUP_ID, backupOf } from '../../../support/stand-ins/stand-in-jobs.ts';

async function withBackup(world: World) {
  world.jobs.catalogue.set(BACKUP_ID, backupOf('demo'));
  return world.bearer(['backups:create', 'servers:read', 'servers:write']);
}
const url = `/instances/demo/backups/${BACKUP_ID}/archive`;

t.test('creating a backup returns exactly the documented fields', async (t) => {
  const world = await build(t);
  const headers = await withBackup(world);
  const answer = await world.app.inject({ method: 'POST', url: '/instances/demo/backup', headers });
  t.same(answer.json(), {
    backupId: BACKUP_ID,
    sizeBytes: ARCHIVE.length,
    sha256: 'b'.repeat(64),
    cloudStatus: 'not_configured',
  });
});

t.test('the retention rules are readable with backups:create', async (t) => {
  const retention = { count: 5, daily: 14 };
  const world = await build(t, { settings: { backups: { retention } } });
  const headers = await world.bearer(['backups:create']);
  const answer = await world.app.inject({ url: '/instances/demo/backups/retention', headers });
  t.equal(answer.statusCode, 200);
  t.same(answer.json(), retention);
});

t.test('Prefer: respond-async returns the job and its address', async (t) => {
  const world = await build(t);
  const headers = { ...(await withBackup(world)), prefer: 'wait=1, respond-async' };
  for (const path of ['backup', ...['restore', 'verify', 'drill'].map((work) => `backups/${BACKUP_ID}/${work}`)])
    for (const prefix of ['', '/api/v1']) {
      const answer = await world.app.inject({ method: 'POST', url: `${prefix}/instances/demo/${path}`, headers });
      t.equal(answer.statusCode, 202, path);
      t.equal(answer.headers['preference-applied'], 'respond-async');
      t.equal(answer.headers.location, `${prefix}/jobs/${answer.json().jobId}`);
      const job = await world.app.inject({ url: String(answer.headers.location), headers });
      t.equal(job.json().jobId, answer.json().jobId);
    }
});

t.test('who may not start and stop a server cannot have it restarted for a restore', async (t) => {
  const world = await build(t);
  await withBackup(world);
  const restore = async (scopes: Scope[], payload: object) =>
    world.app.inject({
      method: 'POST',
      url: `/instances/demo/backups/${BACKUP_ID}/restore`,
      headers: await world.bearer(scopes),
      payload,
    });
  const refused = await restore(['backups:create'], { restart: true });
  isProblem(t, refused, 'insufficient_scope');
  t.match(refused.json(), { detail: /servers:write/ });
  t.same(world.jobs.started, []);
  t.equal((await restore(['backups:create'], {})).statusCode, 200);
  t.equal((await restore(['backups:create', 'servers:write'], { restart: true })).statusCode, 200);
  t.match(world.jobs.started.at(-1), { kind: 'restore', restart: true });
  isProblem(t, await restore(['backups:create'], { restart: 'yes' }), 'invalid_request');
});

t.test('an archive is downloaded with its digest and version', async (t) => {
  const world = await build(t);
  const headers = await withBackup(world);
  const answer = await world.app.inject({ url, headers });
  t.equal(answer.statusCode, 200);
  t.same(answer.rawPayload, ARCHIVE);
  t.match(answer.headers, {
    'content-type': 'application/zip',
    'content-length': String(ARCHIVE.length),
    'content-disposition': `attachment; filename="demo-${BACKUP_ID}.zip"`,
    'accept-ranges': 'bytes',
    etag: `"${'b'.repeat(64)}"`,
    'repr-digest': `sha-256=:${Buffer.alloc(32, 0xbb).toString('base64')}:`,
  });
  const head = await world.app.inject({ method: 'HEAD', url, headers });
  t.match(head, { statusCode: 200, headers: { 'content-length': String(ARCHIVE.length) }, body: '' });
});

t.test('an interrupted download can be resumed', async (t) => {
  const world = await build(t);
  const headers = await withBackup(world);
  const size = ARCHIVE.length;
  const ranges = {
    'bytes=5-': ARCHIVE.subarray(5),
    'bytes=0-3': ARCHIVE.subarray(0, 4),
    'bytes=-4': ARCHIVE.subarray(-4),
    [`bytes=2-${size + 100}`]: ARCHIVE.subarray(2),
  };
  for (const [range, part] of Object.entries(ranges)) {
    const answer = await world.app.inject({ url, headers: { ...headers, range } });
    t.equal(answer.statusCode, 206, range);
    t.same(answer.rawPayload, part);
    t.match(answer.headers['content-range'], new RegExp(`^bytes \\d+-\\d+/${size}$`));
  }
  for (const range of ['bytes=0-1,3-4', 'lines=1-2', 'bytes=-', 'bytes=3-1'])
    t.equal((await world.app.inject({ url, headers: { ...headers, range } })).statusCode, 200, `${range} is ignored`);
  const beyond = await world.app.inject({ url, headers: { ...headers, range: `bytes=${size}-` } });
  isProblem(t, beyond, 'range_not_satisfiable');
  t.equal(beyond.headers['content-range'], `bytes */${size}`);
  const changed = { ...headers, range: 'bytes=5-', 'if-range': '"another version"' };
  t.equal((await world.app.inject({ url, headers: changed })).statusCode, 200, 'a changed archive is sent whole');
});

t.test('an archive that was moved away is 404', async (t) => {
  const world = await build(t);
  const headers = await withBackup(world);
  world.jobs.archivePath = () => '/nowhere/at/all.zip';
  const answer = await world.app.inject({ url, headers });
  isProblem(t, answer, 'backup_not_found');
  const replicas = [{ store: 'nas', state: 'replicated', encrypted: true, attempts: 1 }] as const;
  world.jobs.catalogue.set(BACKUP_ID, { ...backupOf('demo'), replicas: [...replicas] });
  const elsewhere = await world.app.inject({ url, headers });
  isProblem(t, elsewhere, 'backup_not_found');
  t.match(elsewhere.json().resolution, /copy in nas/, 'names a store with a copy');
});

t.test('an archive of another size is not sent', async (t) => {
  const world = await build(t);
  const headers = await withBackup(world);
  world.jobs.catalogue.set(BACKUP_ID, { ...backupOf('demo'), sizeBytes: ARCHIVE.length + 1 });
  isProblem(t, await world.app.inject({ url, headers }), 'backup_damaged');
});

t.test('a cancelled job differs from a failed one', async (t) => {
  const world = await build(t);
  const headers = await withBackup(world);
  const { waitForJob } = world.jobs;
  world.jobs.waitForJob = async (id, signal) => ({ ...(await waitForJob(id, signal)), state: 'cancelled' });
  const answer = await world.app.inject({ method: 'POST', url: '/instances/demo/backup', headers });
  isProblem(t, answer, 'invalid_state');
  t.match(answer.json().detail, /cancelled/);
});

t.test('backups are listed in pages, newest first', async (t) => {
  const world = await build(t);
  const headers = await world.bearer(['backups:create']);
  const ids = Array.from({ length: 5 }, (_, n) => `2026112${n}T081500Z-4f9c2a`).reverse();
  for (const backupId of ids) world.jobs.catalogue.set(backupId, { ...backupOf('demo'), backupId });
  const read = async (query: string) => {
    const answer = await world.app.inject({ url: `/instances/demo/backups${query}`, headers });
    t.equal(answer.statusCode, 200, answer.body);
    const listed = answer.json<{ backupId: string }[]>().map(({ backupId }) => backupId);
    return { listed, next: /^<(.*)>; rel="next"$/.exec(String(answer.headers.link))?.[1] };
  };
  t.same(await read(''), { listed: ids, next: undefined }, 'everything fits into one page');
  const found: string[] = [];
  for (let query: string | undefined = '?limit=2'; query !== undefined; ) {
    const page = await read(query);
    found.push(...page.listed);
    query = page.next;
  }
  t.same(found, ids);
  t.same(await read(`?before=${ids[3]}`), { listed: [ids[4]], next: undefined });
  for (const query of ['?limit=0', '?limit=1001', '?limit=x', '?before=none', '?limit=1&limit=2'])
    isProblem(t, await world.app.inject({ url: `/instances/demo/backups${query}`, headers }), 'invalid_request', query);
});
