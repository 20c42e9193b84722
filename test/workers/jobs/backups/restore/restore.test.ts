import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import t from 'tap';
import { removeTree } from '../../../../../shared/node/files/remove-tree.ts';
import { instanceConfig } from '../../../../support/jobs/fake-peers.ts';
import { startTestJobs, type TestJobs } from '../../../../support/jobs/test-jobs.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { until } from '../../../../support/machine/until.ts';
import { fill, inventory, nest } from '../../../pool/round-trip.ts';

const ID = { instanceId: 'survival' };

/** A server that was backed up and then changed. Returns its folder, the backup, and the folder's content at the backup. */
async function backedUp(jobs: TestJobs) {
  const folder = jobs.daemon.instances.get('survival')!.config.directory;
  fill(folder, {
    'world/level.dat': 'then',
    'world/region/r.0.0.mca': randomBytes(50_000),
    'only-then.txt': 'x',
    'empty/': '',
  });
  symlinkSync('world', path.join(folder, 'link'));
  chmodSync(folder, 0o750);
  const { backupId } = await jobs.done(jobs.call.startBackup({ ...ID, cloudReplicate: true, reason: 'manual' }));
  const then = inventory(folder);
  writeFileSync(path.join(folder, 'world/level.dat'), 'now');
  rmSync(path.join(folder, 'only-then.txt'));
  fill(folder, { 'only-now.txt': 'x' });
  return { folder, key: { ...ID, backupId: backupId! }, then };
}

t.test('a restore brings the folder back and backs up the previous content first', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key, then } = await backedUp(jobs);
  const now = inventory(folder);
  t.match(await jobs.done(jobs.call.startRestore(key)), { kind: 'restore', state: 'done', backupId: key.backupId });
  t.same(inventory(folder), then);
  t.equal(statSync(folder).mode & 0o777, 0o750, 'the folder itself keeps its permissions');

  const [safety] = (await jobs.call.backups({ instanceId: 'survival' })).filter(
    ({ reason }) => reason === 'before-restore',
  );
  t.match(safety, { cloudStatus: 'disabled', quiesced: true });
  await jobs.done(jobs.call.startRestore({ ...ID, backupId: safety!.backupId }));
  t.same(inventory(folder), now, 'the restore can be undone');
  t.same((await jobs.daemon.supervisor('survival')).heard.slice(-2), ['hold restoring', 'release']);
  t.notOk(existsSync(jobs.home.restoreMark('survival')));
});

t.test('sockets and pipes stay in their place', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key } = await backedUp(jobs);
  mkdirSync(path.join(folder, 'run'));
  const [pipe, socket] = [path.join(folder, 'run/commands.pipe'), path.join(folder, 'game.sock')];
  execFileSync('mkfifo', [pipe]);
  const server = createServer().listen(socket);
  t.teardown(() => server.close());
  await once(server, 'listening');
  await jobs.done(jobs.call.startRestore(key));
  t.ok(lstatSync(pipe).isFIFO());
  t.ok(lstatSync(socket).isSocket());
});

t.test(
  '15,000 nested folders, which no backup can contain, are still there after a restore',
  { skip: process.platform !== 'linux' && 'only Linux has paths above PATH_MAX' },
  async (t) => {
    const jobs = await startTestJobs(t);
    const { folder, key } = await backedUp(jobs);
    nest(folder, 15_000, 'a');
    t.teardown(() => removeTree(jobs.home.instances));
    await jobs.done(jobs.call.startRestore(key));
    t.equal(readFileSync(path.join(folder, 'world/level.dat'), 'utf8'), 'then');
    // The deepest folder that a path can name; its content was moved along.
    const deepest = path.join(folder, ...Array.from({ length: 1_500 }, () => 'a'));
    t.same(readdirSync(deepest), ['a']);
  },
);

t.test('the previous folder is kept until the server has started successfully', async (t) => {
  const jobs = await startTestJobs(t);
  const { key } = await backedUp(jobs);
  await jobs.done(jobs.call.startRestore(key));
  const previous = () => readdirSync(jobs.home.instances).filter((name) => name.endsWith('.previous'));
  t.equal(previous().length, 1);
  t.equal(readFileSync(path.join(jobs.home.instances, previous()[0]!, 'world/level.dat'), 'utf8'), 'now');

  jobs.daemon.change('survival', { phase: 'starting', startedAt: Date.now() + 1 });
  jobs.daemon.change('survival', { phase: 'crashed' });
  await jobs.restart();
  t.equal(previous().length, 1, 'a crash after the start proves nothing');

  jobs.daemon.change('survival', { phase: 'running', startedAt: Date.now() + 1 });
  await until('the previous folder is removed', () => previous().length === 0);
});

t.test('files that backups leave out survive a restore', async (t) => {
  const jobs = await startTestJobs(t);
  const exclude = ['plugins/map/**', '*.cache'];
  jobs.daemon.settings.backups = { concurrency: 1, exclude };
  const { folder, key } = await backedUp(jobs);
  fill(folder, { 'plugins/map/tiles/0.png': 'tile', 'world/x.cache': 'cache' });
  await jobs.done(jobs.call.startRestore(key));
  t.equal(readFileSync(path.join(folder, 'plugins/map/tiles/0.png'), 'utf8'), 'tile');
  t.equal(readFileSync(path.join(folder, 'world/x.cache'), 'utf8'), 'cache');
  t.equal(readFileSync(path.join(folder, 'world/level.dat'), 'utf8'), 'then');
});

t.test('what is excluded today stays as it is, even if an older backup has it', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder } = await backedUp(jobs);
  fill(folder, { 'plugins/map/tiles/0.png': 'old', 'plugins/map/old.png': 'old' });
  const request = { instanceId: 'survival', cloudReplicate: false, reason: 'manual' } as const;
  const { backupId } = await jobs.done(jobs.call.startBackup(request));
  jobs.daemon.settings.backups = { concurrency: 1, exclude: ['plugins/map'] };
  fill(folder, { 'plugins/map/tiles/0.png': 'now', 'plugins/map/tiles/1.png': 'now' });
  await jobs.done(jobs.call.startRestore({ instanceId: 'survival', backupId: backupId! }));
  jobs.daemon.change('survival', { phase: 'running', startedAt: Date.now() + 1000 });
  await until('the previous folder is removed', () => readdirSync(jobs.home.instances).length === 1);
  t.equal(readFileSync(path.join(folder, 'plugins/map/tiles/0.png'), 'utf8'), 'now');
  t.equal(readFileSync(path.join(folder, 'plugins/map/tiles/1.png'), 'utf8'), 'now');
});

t.test('a missing folder is created again', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key, then } = await backedUp(jobs);
  rmSync(folder, { recursive: true });
  await jobs.done(jobs.call.startRestore(key));
  t.same(inventory(folder), then);
  t.equal((await jobs.call.backups({ instanceId: 'survival' })).length, 1, 'nothing had to be backed up first');
});

t.test('a missing folder is created again, also if a link leads to the data directory', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key, then } = await backedUp(jobs);
  const link = path.join(temporaryFolder(t), 'instances');
  symlinkSync(path.dirname(folder), link);
  const directory = path.join(link, path.basename(folder));
  const runtime = { phase: 'stopped' } as const;
  jobs.daemon.instances.set('survival', {
    ...jobs.daemon.instances.get('survival')!,
    runtime,
    config: instanceConfig(jobs.home, 'survival', { directory }),
  });
  rmSync(folder, { recursive: true });
  await jobs.done(jobs.call.startRestore(key));
  t.same(inventory(folder), then);
});

t.test('a configured folder that is a link stays a link, and its target is replaced', async (t) => {
  const jobs = await startTestJobs(t);
  const real = path.join(temporaryFolder(t), 'real');
  const link = path.join(temporaryFolder(t), 'link');
  mkdirSync(real);
  symlinkSync(real, link);
  jobs.daemon.instances.set('survival', {
    config: instanceConfig(jobs.home, 'survival', { directory: link, managed: false }),
    runtime: { phase: 'stopped' },
    socket: null,
  });
  const { key, then } = await backedUp(jobs);
  await jobs.done(jobs.call.startRestore(key));
  t.same(inventory(real), then);
  t.ok(readFileSync(path.join(link, 'world/level.dat')));
});

t.test(
  'a restore that is cancelled at any moment leaves the folder unchanged, unlocked and without leftovers',
  async (t) => {
    const jobs = await startTestJobs(t);
    const { folder, key } = await backedUp(jobs);
    const huge = path.join(folder, 'huge.bin');
    writeFileSync(huge, '');
    truncateSync(huge, 300_000_000);
    const large = await jobs.done(jobs.call.startBackup({ ...ID, cloudReplicate: false, reason: 'manual' }));
    rmSync(path.join(folder, 'only-now.txt'));
    const now = inventory(folder);
    for (const percent of [0, 30, 65]) {
      const { jobId } = await jobs.call.startRestore({ ...key, backupId: large.backupId! });
      await until('the job has come far enough', async () => ((await jobs.call.job(jobId))?.percent ?? 0) >= percent);
      await jobs.call.cancel(jobId);
      await t.rejects(jobs.call.waitForJob(jobId), { message: 'The job was cancelled.' }, `at ${percent} %`);
      t.same(inventory(folder), now);
      t.same(readdirSync(jobs.home.instances), ['survival']);
      t.notOk((await jobs.daemon.supervisor('survival')).held);
      t.notOk(existsSync(jobs.home.restoreMark('survival')));
      const files = readdirSync(path.join(jobs.home.backups, 'survival'));
      t.same(
        files.filter((name) => !/\.(zip|json)$/.test(name)),
        [],
      );
    }
  },
);

t.test('a restore into a running server is refused', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key } = await backedUp(jobs);
  const now = inventory(folder);
  for (const phase of ['provisioning', 'starting', 'running', 'stopping'] as const) {
    jobs.daemon.change('survival', { phase });
    await t.rejects(jobs.call.startRestore(key), {
      code: 'invalid_state',
      message: `"survival" is ${phase}; a restore replaces its folder.`,
    });
  }
  t.same(inventory(folder), now);
});

t.test('a damaged archive is detected before anything changes', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key } = await backedUp(jobs);
  const now = inventory(folder);
  const archive = await jobs.call.archivePath(key);
  const bytes = readFileSync(archive);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(archive, bytes);
  await t.rejects(jobs.done(jobs.call.startRestore(key)), { code: 'backup_damaged' });
  t.same(inventory(folder), now);
  t.same(readdirSync(jobs.home.instances), ['survival'], 'no folders are left beside it');
  t.equal((await jobs.call.backups({ instanceId: 'survival' })).length, 1, 'no backup was made');
  rmSync(archive);
  await t.rejects(jobs.call.startRestore(key), { code: 'backup_damaged', message: /missing/ });
  t.notOk((await jobs.daemon.supervisor('survival')).held);
});
