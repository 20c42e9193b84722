import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { instanceConfig } from '../../../../support/jobs/fake-peers.ts';
import { startTestJobs, type TestJobs } from '../../../../support/jobs/test-jobs.ts';
import { damage } from '../../../../support/machine/damage.ts';
import { mounted } from '../../../../support/machine/mounted.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { fill, inventory } from '../../../pool/round-trip.ts';
import { backUp, copiesAre, folderStore } from '../replication/copies.ts';

const THEN = {
  'server.properties': 'then',
  'plugins/essentials/config.yml': 'then',
  'plugins/essentials/deep/er/data.yml': 'then',
  'plugins/other.yml': 'then',
  'world/level.dat': 'then',
};

/** A backup of a folder whose files have all changed since. */
async function changedSince(jobs: TestJobs) {
  const folder = fill(jobs.daemon.instances.get('survival')!.config.directory, THEN);
  chmodSync(path.join(folder, 'plugins/essentials/config.yml'), 0o640);
  chmodSync(path.join(folder, 'plugins/essentials'), 0o750);
  symlinkSync('/etc/passwd', path.join(folder, 'plugins/link'));
  const key = await backUp(jobs);
  const then = inventory(folder);
  fill(folder, Object.fromEntries(Object.keys(THEN).map((name) => [name, 'now'])));
  fill(folder, { 'plugins/essentials/new.yml': 'now' });
  return { folder, key, then };
}

function read(folder: string, name: string): string {
  return readFileSync(path.join(folder, name), 'utf8');
}

function noLeftovers(t: Test, { home }: TestJobs, folder: string, ending = /\.new$/): void {
  const left = [...readdirSync(path.dirname(folder)), ...readdirSync(home.instances)];
  t.same(
    left.filter((name) => name.startsWith('.gamekeeper-restore-') && ending.test(name)),
    [],
  );
}

t.test('only the wanted files and folders come back, after a backup of the present ones', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key, then } = await changedSince(jobs);
  const before = inventory(folder);
  const paths = ['plugins/essentials', 'server.properties', 'plugins/essentials/config.yml'];
  const job = await jobs.done(jobs.call.startFileRestore({ ...key, paths }));
  t.match(job, { kind: 'restore', state: 'done', percent: 100, backupId: key.backupId });
  const after = inventory(folder);
  for (const name of Object.keys({ ...then, ...after })) {
    const isWanted = name === 'server.properties' || name.startsWith('plugins/essentials');
    t.equal(after[name], isWanted ? then[name] : before[name], name);
  }
  t.equal(after['plugins/essentials/new.yml'], undefined, 'a folder is as it was');
  noLeftovers(t, jobs, folder);

  const [safety] = await jobs.call.backups({ instanceId: 'survival' });
  t.equal(safety?.reason, 'before-restore');
  await jobs.done(jobs.call.startRestore({ ...key, backupId: safety!.backupId }));
  t.same(inventory(folder), before, 'what was replaced can be restored, too');
});

t.test('a folder above that is missing comes back with the owner and mode that it had', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key, then } = await changedSince(jobs);
  rmSync(path.join(folder, 'plugins'), { recursive: true });
  const paths = ['plugins/essentials/deep/er/data.yml', 'plugins/essentials/config.yml'];
  await jobs.done(jobs.call.startFileRestore({ ...key, paths }));
  const after = inventory(folder);
  for (const name of ['plugins', 'plugins/essentials', 'plugins/essentials/deep/er', ...paths])
    t.equal(after[name], then[name], name);
  t.equal(after['plugins/other.yml'], undefined);
  noLeftovers(t, jobs, folder);
});

t.test('a missing server folder is created with the wanted files', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key } = await changedSince(jobs);
  rmSync(folder, { recursive: true });
  await jobs.done(jobs.call.startFileRestore({ ...key, paths: ['world/level.dat'] }));
  t.same(Object.keys(inventory(folder)), ['world', 'world/level.dat']);
  t.equal(lstatSync(folder).mode & 0o777, 0o700, 'closed to others');
});

t.test('links are put back as links, and never followed', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key } = await changedSince(jobs);
  const outside = temporaryFolder(t);
  rmSync(path.join(folder, 'plugins/link'));
  await jobs.done(jobs.call.startFileRestore({ ...key, paths: ['plugins/link'] }));
  t.ok(lstatSync(path.join(folder, 'plugins/link')).isSymbolicLink());

  rmSync(path.join(folder, 'plugins/essentials'), { recursive: true });
  symlinkSync(outside, path.join(folder, 'plugins/essentials'));
  const before = inventory(folder);
  await t.rejects(jobs.done(jobs.call.startFileRestore({ ...key, paths: ['plugins/essentials/deep/er/data.yml'] })), {
    code: 'invalid_state',
    message: /"plugins\/essentials" is not a folder, but a file or a link/,
  });
  t.same(inventory(folder), before);
  t.same(readdirSync(outside), [], 'nothing was written outside');
  await jobs.done(jobs.call.startFileRestore({ ...key, paths: ['plugins/essentials'] }));
  t.equal(read(folder, 'plugins/essentials/config.yml'), 'then', 'the link itself can be replaced');
  t.same(readdirSync(outside), []);
});

t.test('what backups leave out stays in its place', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key } = await changedSince(jobs);
  jobs.daemon.setBackups({ exclude: ['*.map'] });
  fill(folder, { 'plugins/essentials/deep/tiles.map': 'kept' });
  await jobs.done(jobs.call.startFileRestore({ ...key, paths: ['plugins/essentials'] }));
  t.equal(read(folder, 'plugins/essentials/deep/tiles.map'), 'kept');
  t.equal(read(folder, 'plugins/essentials/config.yml'), 'then');
});

t.test('what is excluded as a whole is not replaced, since it would be in no backup', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key } = await changedSince(jobs);
  jobs.daemon.setBackups({ exclude: ['plugins/essentials'] });
  const before = inventory(folder);
  for (const at of ['plugins/essentials', 'plugins/essentials/config.yml'])
    await t.rejects(jobs.done(jobs.call.startFileRestore({ ...key, paths: [at] })), {
      code: 'invalid_state',
      message: /Backups leave out "plugins\/essentials"/,
    });
  t.same(inventory(folder), before);
  rmSync(path.join(folder, 'plugins/essentials/config.yml'));
  await jobs.done(jobs.call.startFileRestore({ ...key, paths: ['plugins/essentials/config.yml'] }));
  t.equal(read(folder, 'plugins/essentials/config.yml'), 'then', 'what is missing today can come back');
  t.equal(read(folder, 'plugins/essentials/new.yml'), 'now');
});

t.test('wrong paths and a running server are refused before anything happens', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key } = await changedSince(jobs);
  const before = inventory(folder);
  const start = (...paths: string[]) => jobs.call.startFileRestore({ ...key, paths });
  for (const at of ['', '/x', '../x', 'a/../../x', 'a\\b', 'a/'])
    await t.rejects(start('server.properties', at), { code: 'invalid_path' }, at);
  await t.rejects(start('server.properties', 'none'), { code: 'file_not_found', message: /"none"/ });
  jobs.daemon.instances.get('survival')!.runtime.phase = 'running';
  await t.rejects(start('server.properties'), { code: 'invalid_state' });
  t.same(inventory(folder), before);
});

t.test('from a copy, after its hash was checked', async (t) => {
  const jobs = await startTestJobs(t);
  const nas = folderStore(t);
  jobs.daemon.setBackups({ stores: [nas] });
  const { folder, key } = await changedSince(jobs);
  await copiesAre(jobs, key, 'replicated');
  rmSync(await jobs.call.archivePath(key));
  const copy = path.join(nas.directory, key.instanceId, `${key.backupId}.zip`);
  damage(copy);
  const before = inventory(folder);
  await t.rejects(jobs.done(jobs.call.startFileRestore({ ...key, paths: ['server.properties'] })), {
    code: 'backup_damaged',
  });
  t.same(inventory(folder), before);
  noLeftovers(t, jobs, folder, /./);
});

t.test('a server folder that is a mount point', async (t) => {
  const jobs = await startTestJobs(t);
  const directory = path.join(temporaryFolder(t), 'server');
  if (!mounted(t, directory, '-t', 'tmpfs', 'tmpfs')) return;
  jobs.daemon.instances.set('survival', {
    config: instanceConfig(jobs.home, 'survival', { directory, managed: false }),
    runtime: { phase: 'stopped' },
    socket: null,
  });
  const { folder, key, then } = await changedSince(jobs);
  await jobs.done(jobs.call.startFileRestore({ ...key, paths: ['plugins/essentials', 'world'] }));
  const after = inventory(folder);
  for (const name of ['plugins/essentials', 'plugins/essentials/config.yml', 'world/level.dat'])
    t.equal(after[name], then[name], name);
  t.equal(read(folder, 'server.properties'), 'now');
});

t.test('if one file cannot be replaced, the others are put back', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key } = await changedSince(jobs);
  if (!immutable(t, path.join(folder, 'world'))) return;
  const before = inventory(folder);
  const start = jobs.call.startFileRestore({ ...key, paths: ['server.properties', 'plugins', 'world/level.dat'] });
  await t.rejects(jobs.done(start), { code: 'invalid_state', message: /could not be replaced \(EPERM\)/ });
  t.same(inventory(folder), before);
  noLeftovers(t, jobs, folder);
});

/** Makes a folder immutable even for root; returns false if that is not possible here. */
function immutable(t: Test, folder: string): boolean {
  try {
    execFileSync('chattr', ['+i', folder], { stdio: 'ignore' });
  } catch {
    t.comment('left out: files cannot be made immutable here');
    return false;
  }
  t.teardown(() => execFileSync('chattr', ['-i', folder]));
  return true;
}
