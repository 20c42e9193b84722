/** Folders as ZIP files, and ZIP files as folders. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import type { Job } from '../../shared/schema/job.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const gamekeeper = await startGamekeeper(t);
const folder = path.join(gamekeeper.home, 'instances/demo');
const headers = { authorization: `Bearer ${await gamekeeper.token()}` };
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
const download = (name: string) =>
  fetch(new URL(`/instances/demo/files/archive?path=${encodeURIComponent(name)}`, gamekeeper.addresses().panel), {
    headers,
  });
const extract = (body: object) => gamekeeper.api<{ code?: string }>('POST', '/instances/demo/files/extract', body);

t.test('a folder is downloaded as a ZIP, and unpacked again beside it', async (t) => {
  if (!requireProgram(t, 'unzip', 'unzip')) return;
  mkdirSync(path.join(folder, 'maps/deep'), { recursive: true });
  writeFileSync(path.join(folder, 'maps/deep/one'), 'one');
  writeFileSync(path.join(folder, 'maps/ü.txt'), 'ü');
  symlinkSync('/etc/passwd', path.join(folder, 'maps/link'));
  const answer = await download('maps');
  t.equal(answer.status, 200);
  t.match(answer.headers.get('content-disposition'), 'filename="maps.zip"');
  const zip = path.join(temporaryFolder(t), 'maps.zip');
  writeFileSync(zip, Buffer.from(await answer.arrayBuffer()));
  const names = execFileSync('unzip', ['-Z1', zip], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } })
    .trim()
    .split('\n')
    .sort();
  t.same(names, ['deep/', 'deep/one', 'ü.txt'], 'without the link');

  writeFileSync(path.join(folder, 'maps.zip'), readFileSync(zip));
  mkdirSync(path.join(folder, 'copy'));
  t.match(await extract({ path: 'maps.zip', to: 'copy' }), { status: 200, body: { success: true } });
  t.equal(readFileSync(path.join(folder, 'copy/deep/one'), 'utf8'), 'one');
  t.same(readdirSync(path.join(folder, '.gamekeeper-files/unpacked')), [], 'nothing is left of the unpacking');

  t.match(await extract({ path: 'maps.zip', to: 'copy' }), { status: 409, body: { code: 'file_exists' } });
  t.match(await extract({ path: 'maps.zip', to: 'nowhere' }), { status: 404, body: { code: 'file_not_found' } });
  t.match(await extract({ path: 'nothing.zip' }), { status: 404, body: { code: 'file_not_found' } });
  const jobs = (await gamekeeper.api<Job[]>('GET', '/jobs')).body.filter(({ kind }) => kind === 'extract');
  t.same(jobs.map(({ state }) => state).sort(), ['done', 'failed', 'failed']);
});

t.test('a ZIP is created on the server, as a job', async (t) => {
  mkdirSync(path.join(folder, 'arena'));
  writeFileSync(path.join(folder, 'arena/map.txt'), 'map');
  const create = (body: object, prefer?: { prefer: string }) =>
    gamekeeper.api<Job>('POST', '/instances/demo/files/archive', body, { ...headers, ...prefer });
  t.match(await create({ names: ['arena'], to: 'arena.zip' }), { status: 200, body: { success: true } });
  t.match(await create({ names: ['arena'], to: 'arena.zip' }), { status: 409, body: { code: 'file_exists' } });
  t.match(await create({ names: ['no'], to: 'b.zip' }), { status: 404, body: { code: 'file_not_found' } });
  t.match(await create({ names: ['a/b'], to: 'b.zip' }), { status: 400, body: { code: 'invalid_request' } });
  t.match(await create({ to: '' }), { status: 400 });
  mkdirSync(path.join(folder, 'unpacked'));
  t.equal((await extract({ path: 'arena.zip', to: 'unpacked' })).status, 200);
  t.equal(readFileSync(path.join(folder, 'unpacked/arena/map.txt'), 'utf8'), 'map');
  const { status, body } = await create({ names: ['arena'], to: 'later.zip' }, { prefer: 'respond-async' });
  t.match({ status, body }, { status: 202, body: { kind: 'archive', instanceId: 'demo' } });
  await until('the job is done', async () => {
    return (await gamekeeper.api<Job>('GET', `/jobs/${body.jobId}`)).body.state === 'done';
  });
  t.ok(existsSync(path.join(folder, 'later.zip')));
});

t.test('what is no folder, leads elsewhere, or is no ZIP is refused', async (t) => {
  const outside = temporaryFolder(t);
  symlinkSync(outside, path.join(folder, 'way-out'));
  writeFileSync(path.join(folder, 'file.zip'), 'not a ZIP');
  for (const bad of ['way-out', 'file.zip', '../demo', '.gamekeeper-files'])
    t.match(await (await download(bad)).json(), { code: 'invalid_path' }, bad);
  t.match(await (await download('nothing')).json(), { code: 'file_not_found' });
  t.match(await extract({ path: 'file.zip' }), { status: 400, body: { code: 'invalid_request' } });
  t.match(await extract({ path: 'file.zip', to: 'way-out' }), { status: 400 });
  t.same(readdirSync(outside), []);
  for (const name of ['../../slip', '.gamekeeper-restore-1/slip', '.Gamekeeper-files/slip']) {
    const program = `import zipfile; z = zipfile.ZipFile(${JSON.stringify(path.join(folder, 'hostile.zip'))}, 'w')`;
    execFileSync('python3', ['-c', `${program}; z.writestr(${JSON.stringify(name)}, 'x'); z.writestr('fine', 'x')`]);
    t.match(await extract({ path: 'hostile.zip' }), { status: 400, body: { code: 'invalid_request' } }, name);
  }
  t.notOk(existsSync(path.join(folder, 'fine')), 'nothing of it is unpacked');
});
