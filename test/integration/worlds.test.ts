/** Worlds of a real server are listed, downloaded, replaced and reset. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { write } from 'nbtify';
import t, { type Test } from 'tap';
import type { Backup } from '../../shared/schema/backup.ts';
import type { Job } from '../../shared/schema/job.ts';
import type { WorldList } from '../../shared/schema/worlds.ts';
import { signedInAdmin, signedInUser } from '../support/http/signed-in-user.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

const gamekeeper = await startGamekeeper(t);
const { api } = gamekeeper;
const authorization = `Bearer ${await gamekeeper.token()}`;
const folder = path.join(gamekeeper.home, 'instances/demo');
await api('POST', '/instances', { name: 'Demo', software: 'demo' });
mkdirSync(folder, { recursive: true });

async function writeWorld(parent: string, name: string, seed: bigint): Promise<void> {
  const root = { Data: { LevelName: `World ${seed}`, WorldGenSettings: { seed } } } as unknown as Parameters<
    typeof write
  >[0];
  const level = await write(root, { rootName: '', endian: 'big', compression: null, bedrockLevel: false });
  mkdirSync(path.join(parent, name, 'region'), { recursive: true });
  writeFileSync(path.join(parent, name, 'level.dat'), gzipSync(level));
  writeFileSync(path.join(parent, name, 'region/r.0.0.mca'), String(seed).repeat(100));
}

/** Puts a ZIP of a new world, in a folder `names`, into the server's folder. */
async function uploadWorld(t: Test, name: string, { seed, names }: { seed: bigint; names: string[] }): Promise<void> {
  const source = temporaryFolder(t);
  for (const world of names) await writeWorld(source, world, seed);
  execFileSync('zip', ['-q', '-r', path.join(folder, name), '.'], { cwd: source });
}

const list = async () => (await api<WorldList>('GET', '/instances/demo/worlds')).body.worlds;
const replace = (body: object) =>
  api<{ code?: string; detail?: string }>('POST', '/instances/demo/worlds/replace', body);
const reset = (body: object) => api<{ code?: string }>('POST', '/instances/demo/worlds/reset', body);
const regionOf = (world: string) => readFileSync(path.join(folder, world, 'region/r.0.0.mca'), 'utf8').slice(0, 2);
const leftovers = () =>
  [folder, path.dirname(folder)]
    .flatMap((at) => readdirSync(at))
    .filter((name) => /^\.gamekeeper-restore-.*new$/.test(name));

t.test('worlds are listed with what level.dat says; links and damaged ones do no harm', async (t) => {
  await writeWorld(folder, 'world', 11n);
  await writeWorld(folder, 'world_nether', 11n);
  await writeWorld(folder, 'old', 22n);
  mkdirSync(path.join(folder, 'old/datapacks'));
  writeFileSync(path.join(folder, 'old/datapacks/pack.zip'), '');
  mkdirSync(path.join(folder, 'bad'));
  writeFileSync(path.join(folder, 'bad/level.dat'), Buffer.alloc(64, 9));
  const outside = temporaryFolder(t);
  await writeWorld(outside, 'secret', 33n);
  symlinkSync(path.join(outside, 'secret'), path.join(folder, 'linked'));
  mkdirSync(path.join(folder, 'sly'));
  symlinkSync(path.join(outside, 'secret/level.dat'), path.join(folder, 'sly/level.dat'));
  const worlds = await list();
  t.match(worlds, [
    {
      folder: 'world',
      isCurrent: true,
      name: 'World 11',
      seed: '11',
      folders: ['world', 'world_nether'],
      dataPacks: [],
    },
    { folder: 'bad', isCurrent: false, problem: /damaged/ },
    { folder: 'old', isCurrent: false, seed: '22', dataPacks: ['pack.zip'] },
  ]);
  t.equal(worlds.length, 3, 'nothing of what links lead to');
});

t.test('a world is replaced by a ZIP, with the former one in a backup', async (t) => {
  await uploadWorld(t, 'new.zip', { seed: 44n, names: ['deep/down/Castle'] });
  t.match(await replace({ folder: 'world', archive: 'new.zip' }), { status: 200, body: { success: true } });
  t.equal(regionOf('world'), '44');
  t.same(readdirSync(path.join(folder, 'world_nether')), [], 'the Nether begins anew');
  t.equal(regionOf('old'), '22', 'other worlds stay');
  const [backup] = (await api<Backup[]>('GET', '/instances/demo/backups')).body;
  t.equal(backup?.reason, 'before-restore');
  t.match(await api('POST', `/instances/demo/backups/${backup?.backupId}/restore`), { status: 200 });
  t.equal(regionOf('world'), '11', 'undone');
  t.match(await replace({ folder: 'added', archive: 'new.zip' }), { status: 200 });
  t.equal(regionOf('added'), '44', 'or added');
});

t.test('what cannot replace a world changes nothing', async (t) => {
  const before = readdirSync(folder).sort();
  await uploadWorld(t, 'two.zip', { seed: 5n, names: ['a', 'b'] });
  execFileSync('zip', ['-q', 'none.zip', 'new.zip'], { cwd: folder });
  writeFileSync(path.join(folder, 'text.zip'), 'no ZIP');
  const slip =
    "import zipfile; z = zipfile.ZipFile('slip.zip', 'w'); z.writestr('../../slip', 'x'); z.writestr('w/level.dat', 'x')";
  execFileSync('python3', ['-c', slip], { cwd: folder });
  const expected = { 'two.zip': /several worlds/, 'none.zip': /no world/, 'text.zip': /./, 'slip.zip': /./ };
  for (const [archive, detail] of Object.entries(expected))
    t.match(
      await replace({ folder: 'world', archive }),
      { status: 400, body: { code: 'invalid_request', detail } },
      archive,
    );
  t.match(await replace({ folder: 'world', archive: 'missing.zip' }), { status: 404 });
  for (const bad of ['../demo', 'a/b', '', '.', '..', '.gamekeeper-files', 'a\\b', 'x'.repeat(300)])
    t.match(await replace({ folder: bad, archive: 'new.zip' }), { status: 400 }, JSON.stringify(bad));
  t.match(await reset({ folder: 'nothing' }), { status: 404, body: { code: 'file_not_found' } });
  t.match(await reset({ folder: 'world', seed: 'a\nop=me' }), { status: 400 });
  t.equal(regionOf('world'), '11');
  t.same(leftovers(), []);
  const added = ['none.zip', 'slip.zip', 'text.zip', 'two.zip'];
  t.same(readdirSync(folder).sort(), [...before, ...added].sort());
});

t.test('what is no world, or in no backup, is neither replaced nor reset', async (t) => {
  mkdirSync(path.join(folder, 'plugins'));
  writeFileSync(path.join(folder, 'plugins/shop.jar'), '');
  const admin = await signedInAdmin(gamekeeper);
  const settings = (backups: object) => admin.api('PUT', '/api/settings', { backups });
  for (const change of [reset({ folder: 'plugins' }), replace({ folder: 'plugins', archive: 'new.zip' })])
    t.match(await change, { status: 400, body: { code: 'invalid_path', detail: /no level\.dat/ } });
  for (const left of ['world_nether', 'world/region']) {
    t.match(await settings({ exclude: [left], retention: { count: 1 } }), { status: 200 });
    const refused = { status: 409, body: { code: 'invalid_state', detail: new RegExp(`leave out "${left}`) } };
    t.match(await reset({ folder: 'world' }), refused, left);
    t.match(await replace({ folder: 'world', archive: 'new.zip' }), refused, left);
  }
  t.equal(regionOf('world'), '11');
  t.equal(regionOf('world_nether'), '11');
  const backups = (await api<Backup[]>('GET', '/instances/demo/backups')).body;
  t.equal(backups.filter(({ reason }) => reason === 'before-restore').length, 3, 'what is refused fills no disk');
  t.match(await settings({ exclude: [], retention: null }), { status: 200 });
  t.same(leftovers(), []);
});

t.test('a world is reset with a new seed, in one step', async (t) => {
  t.match(await reset({ folder: 'world', seed: '42' }), { status: 200 });
  t.same(readdirSync(path.join(folder, 'world')), []);
  t.match(readFileSync(path.join(folder, 'server.properties'), 'utf8'), /^level-seed=42$/m);
  t.equal(regionOf('old'), '22');
});

t.test('not while the server runs, and not without the right', async (t) => {
  const reader = await signedInUser(gamekeeper, {
    username: 'ann',
    role: 'operator',
    instances: [{ id: 'demo', role: 'operator', files: 'read' }],
  });
  t.equal((await reader.api('GET', '/instances/demo/worlds')).status, 200);
  for (const action of ['replace', 'reset'])
    t.equal(
      (await reader.api('POST', `/instances/demo/worlds/${action}`, { folder: 'old', archive: 'new.zip' })).status,
      403,
    );
  const other = await signedInUser(gamekeeper, { username: 'bob', role: 'operator' });
  t.equal((await other.api('GET', '/instances/demo/worlds')).status, 403);
  await api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  t.match(await replace({ folder: 'old', archive: 'new.zip' }), { status: 409, body: { code: 'invalid_state' } });
  t.match(await reset({ folder: 'old' }), { status: 409, body: { code: 'invalid_state' } });
  await api('POST', '/instances/demo/stop');
  await gamekeeper.waitForStatus('demo', 'stopped');
});

function killJobs(): void {
  const jobs = processesOf(gamekeeper.home).find(({ command }) => /workers\/jobs/.test(command));
  if (jobs) process.kill(jobs.pid, 'SIGKILL');
}

t.test('jobs killed while a world is replaced leave the old or the new one, whole', async (t) => {
  const backups = path.join(gamekeeper.home, 'backups/demo');
  const archives = () => readdirSync(backups).filter((name) => name.endsWith('.zip')).length;
  const outcomes = new Set<string>();
  for (const [round, step] of ['unpacking', 'backed up', 'unpacking', 'backed up'].entries()) {
    await uploadWorld(t, 'next.zip', { seed: BigInt(70 + round), names: ['Next'] });
    const [before, made] = [regionOf('old'), archives()];
    const request = { folder: 'old', archive: 'next.zip' };
    const headers = { authorization, prefer: 'respond-async' };
    t.equal((await api<Job>('POST', '/instances/demo/worlds/replace', request, headers)).status, 202);
    const reached = () => (step === 'unpacking' ? leftovers().length > 0 : archives() > made);
    await until(`the job is at the step: ${step}`, reached);
    killJobs();
    await until('jobs answer again', async () => {
      const { status, body } = await api<Job[]>('GET', '/jobs');
      return status === 200 && body.every(({ endedAt }) => endedAt !== undefined);
    });
    await until('nothing is left', () => leftovers().length === 0, { describe: () => leftovers().join() });
    const after = regionOf('old');
    t.ok([before, String(70 + round)].includes(after), `${after} after a kill at the step: ${step}`);
    t.ok(existsSync(path.join(folder, 'old/level.dat')), 'whole');
    if (archives() === made) t.equal(after, before, 'without a backup of the former world nothing is swapped');
    outcomes.add(after === before ? 'old' : 'new');
  }
  t.comment([...outcomes].join(' and '));
});
