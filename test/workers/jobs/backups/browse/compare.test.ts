import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import type { FileDifferences } from '../../../../../shared/schema/backup-files.ts';
import { startTestJobs, type TestJobs } from '../../../../support/jobs/test-jobs.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { fill } from '../../../pool/round-trip.ts';
import { backUp } from '../replication/copies.ts';

const THEN = {
  'same.txt': 'same',
  'size.txt': 'then',
  'content.txt': 'then',
  'gone.txt': 'then',
  'gone/a.txt': 'a',
  'plugins/a/config.yml': 'then',
  'plugins/b.yml': 'b',
  'becomes-folder': 'a file',
  'world/level.dat': 'then',
};

type Key = { instanceId: string; backupId: string };

async function changed(jobs: TestJobs) {
  const folder = fill(jobs.home.instanceDirectory('survival'), THEN);
  symlinkSync('same.txt', path.join(folder, 'link'));
  symlinkSync('same.txt', path.join(folder, 'same-link'));
  const key = await backUp(jobs);
  for (const name of ['gone.txt', 'gone', 'becomes-folder', 'link'])
    rmSync(path.join(folder, name), { recursive: true });
  fill(folder, {
    'size.txt': 'longer',
    'content.txt': 'newt',
    'new.txt': 'new',
    'new/a.txt': 'a',
    'new/deep/b.txt': 'b',
    'becomes-folder/x': 'x',
    'plugins/a/config.yml': 'edited',
    'cache/tile.map': 'excluded',
    'session.lock': 'of the game',
  });
  symlinkSync('size.txt', path.join(folder, 'link'));
  return { folder, key };
}

function compare(jobs: TestJobs, key: Key, at = '', page: { after?: string; limit?: number } = {}) {
  return jobs.call.compareBackup({ ...key, path: at, limit: 1_000, ...page });
}

function brief({ differences }: FileDifferences): string[] {
  return differences.map(({ path: name, change }) => `${change} ${name}`);
}

const ALL = [
  'changed becomes-folder',
  'changed content.txt',
  'removed gone',
  'removed gone.txt',
  'changed link',
  'added new',
  'added new.txt',
  'changed plugins/a/config.yml',
  'changed size.txt',
];

t.test('what differs from today is found by kind, size and checksum', async (t) => {
  const jobs = await startTestJobs(t);
  jobs.daemon.setBackups({ exclude: ['*.map', 'cache'] });
  const { folder, key } = await changed(jobs);
  const all = await compare(jobs, key);
  t.same(brief(all), ALL);
  t.equal(all.next, undefined);
  t.match(all.differences[0], { backup: { kind: 'file', sizeBytes: 6 }, today: { kind: 'folder', sizeBytes: 0 } });
  t.equal(all.differences[2]?.today, undefined);
  t.equal(all.differences[5]?.backup, undefined);

  t.test('of one folder or file', async (t) => {
    t.same(brief(await compare(jobs, key, 'plugins')), ['changed plugins/a/config.yml']);
    t.same(brief(await compare(jobs, key, 'plugins/a/config.yml')), ['changed plugins/a/config.yml']);
    t.same(brief(await compare(jobs, key, 'same.txt')), []);
    t.same(brief(await compare(jobs, key, 'gone')), ['removed gone']);
    t.same(brief(await compare(jobs, key, 'gone/a.txt')), ['removed gone/a.txt']);
    t.same(brief(await compare(jobs, key, 'new')), ['added new']);
    t.same(brief(await compare(jobs, key, 'becomes-folder')), ['changed becomes-folder']);
    for (const none of ['nowhere', 'ä'.repeat(200)])
      await t.rejects(compare(jobs, key, none), { code: 'file_not_found' });
    await t.rejects(compare(jobs, key, '../x'), { code: 'invalid_path' });
  });

  t.test('in pages', async (t) => {
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await compare(jobs, key, '', { limit: 2, ...(after !== undefined && { after }) });
      t.ok(page.differences.length <= 2);
      found.push(...brief(page));
      after = page.next;
    } while (after !== undefined);
    t.same(found, ALL);
  });

  t.test('without reading more than a few hundred megabytes at once', async (t) => {
    // Sparse files of the same size, which only their content could tell apart.
    for (const name of ['a.bin', 'b.bin', 'c.bin']) {
      fill(folder, { [name]: '' });
      truncateSync(path.join(folder, name), 200 * 1024 * 1024);
    }
    const large = await backUp(jobs);
    const first = await compare(jobs, large);
    t.same(first, { differences: [], next: 'b.bin' });
    t.same(await compare(jobs, large, '', { after: first.next! }), { differences: [] });
  });
});

t.test('no link is followed, and a pipe is not waited for', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key } = await changed(jobs);
  const outside = fill(temporaryFolder(t), { 'a/config.yml': 'then', 'b.yml': 'b' });
  rmSync(path.join(folder, 'plugins'), { recursive: true });
  symlinkSync(outside, path.join(folder, 'plugins'));
  t.same(brief(await compare(jobs, key, 'plugins')), ['changed plugins']);
  t.same(brief(await compare(jobs, key, 'plugins/b.yml')), ['removed plugins/b.yml']);
  rmSync(path.join(folder, 'same.txt'));
  execFileSync('mkfifo', [path.join(folder, 'same.txt')]);
  t.same(brief(await compare(jobs, key, 'same.txt')), ['removed same.txt']);
});

t.test('if the folder of the server is gone, all of it is removed', async (t) => {
  const jobs = await startTestJobs(t);
  const { folder, key } = await changed(jobs);
  rmSync(folder, { recursive: true });
  const { differences } = await compare(jobs, key);
  t.ok(differences.length > 5);
  t.ok(differences.every(({ change }) => change === 'removed'));
});
