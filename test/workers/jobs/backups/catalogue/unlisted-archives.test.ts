import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import t from 'tap';
import { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import {
  addUnlistedArchives,
  type UnlistedArchivesOptions,
} from '../../../../../workers/jobs/backups/catalogue/unlisted-archives.ts';
import { JobQueue } from '../../../../../workers/jobs/queue/queue.ts';
import { startTestJobs, type TestJobs } from '../../../../support/jobs/test-jobs.ts';
import { damage } from '../../../../support/machine/damage.ts';
import { requireProgram } from '../../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { until } from '../../../../support/machine/until.ts';
import { fill, inventory } from '../../../pool/round-trip.ts';
import { backUp, copiesAre, folderStore, ID, makeWorld } from '../replication/copies.ts';

/** Restarts with an empty database, as after a disk failure. */
async function loseDatabase(jobs: TestJobs): Promise<void> {
  await jobs.stop();
  for (const ending of ['', '-wal', '-shm']) rmSync(jobs.home.database + ending, { force: true });
  await jobs.restart();
}

function listed(jobs: TestJobs, count: number) {
  return until(`${count} are listed`, async () => {
    const backups = await jobs.call.backups({ instanceId: 'survival' });
    return backups.length === count && backups;
  });
}

t.test('after the loss of the database, the catalogue is rebuilt from archives and manifests', async (t) => {
  const jobs = await startTestJobs(t);
  const folder = makeWorld(jobs);
  symlinkSync('world', path.join(folder, 'link'));
  const then = inventory(folder);
  const first = await backUp(jobs, { reason: 'schedule' });
  await jobs.call.setPinned({ ...first, pinned: true });
  await backUp(jobs);
  const before = await jobs.call.backups({ instanceId: 'survival' });
  await loseDatabase(jobs);
  t.same(await listed(jobs, 2), before, 'all facts are restored');
  fill(folder, { 'world/level.dat': 'now' });
  await jobs.done(jobs.call.startRestore(first));
  t.same(inventory(folder), then, 'including links');
});

t.test('existing copies in stores are found again', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const nas = folderStore(t);
  jobs.daemon.setBackups({ stores: [nas] });
  const key = await backUp(jobs);
  await copiesAre(jobs, key, 'replicated');
  await loseDatabase(jobs);
  await listed(jobs, 1);
  await copiesAre(jobs, key, 'replicated');
});

t.test('an archive that does not match its manifest is not added', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const [bad, good] = [await backUp(jobs), await backUp(jobs)];
  const archive = await jobs.call.archivePath(bad);
  damage(archive);
  await loseDatabase(jobs);
  t.match(await listed(jobs, 1), [{ backupId: good.backupId }]);
  await until('both were checked', async () => (await jobs.call.jobs()).every(({ endedAt }) => endedAt !== undefined));
  t.match(await listed(jobs, 1), [{ backupId: good.backupId }]);
  t.ok(existsSync(archive));
});

t.test('an archive without a manifest is added from its name and content', async (t) => {
  if (!requireProgram(t, 'zip', 'zip')) return;
  const jobs = await startTestJobs(t);
  const elsewhere = path.join(jobs.home.root, 'elsewhere');
  fill(elsewhere, { 'world/level.dat': 'from elsewhere', 'server.properties': 'motd=hi\n', 'empty/': '' });
  const backupId = '20260101T030000Z-abcdef';
  const archive = path.join(jobs.home.backups, 'survival', `${backupId}.zip`);
  mkdirSync(path.dirname(archive));
  execFileSync('zip', ['-q', '-r', archive, '.'], { cwd: elsewhere });
  await jobs.restart();
  t.match(await listed(jobs, 1), [
    {
      backupId,
      createdAt: '2026-01-01T03:00:00.000Z',
      software: 'unknown',
      fileCount: 2,
      sourceBytes: 22,
      quiesced: false,
      cloudStatus: 'disabled',
    },
  ]);
  await jobs.done(jobs.call.startRestore({ ...ID, backupId }));
  t.same(inventory(jobs.home.instanceDirectory('survival')), inventory(elsewhere));
});

t.test('an archive without a manifest is not added if it has links or dangerous names', async (t) => {
  if (!requireProgram(t, 'zip', 'zip')) return;
  const jobs = await startTestJobs(t);
  const folder = path.join(jobs.home.backups, 'survival');
  mkdirSync(folder);
  const elsewhere = fill(path.join(jobs.home.root, 'elsewhere'), { 'a.txt': 'a' });
  symlinkSync('/etc', path.join(elsewhere, 'link'));
  execFileSync('zip', ['-q', '-r', '--symlinks', path.join(folder, '20260101T030000Z-aaaaaa.zip'), '.'], {
    cwd: elsewhere,
  });
  writeFileSync(path.join(folder, '20260101T030000Z-bbbbbb.zip'), 'no ZIP at all');
  writeFileSync(path.join(folder, 'holiday.zip'), 'somebody’s own');
  await jobs.restart();
  const looked = await until('they were checked', async () => {
    const all = await jobs.call.jobs();
    return all.length === 2 && all.every(({ endedAt }) => endedAt !== undefined) && all;
  });
  t.match(looked, [
    { kind: 'verify', error: { code: 'backup_damaged', detail: /"link" is a link/ } },
    { kind: 'verify', error: { code: 'backup_damaged' } },
  ]);
  t.same(await jobs.call.backups({ instanceId: 'survival' }), []);
});

t.test('an archive in the folder of another instance is not added to that one', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const key = await backUp(jobs);
  const folder = path.join(jobs.home.backups, 'survival');
  cpSync(folder, path.join(jobs.home.backups, 'lobby'), { recursive: true });
  await jobs.restart();
  await until('it was checked', async () => (await jobs.call.jobs()).some(({ endedAt }) => endedAt !== undefined));
  t.match(await jobs.call.jobs(), [{ instanceId: 'lobby', error: { detail: /another backup/ } }]);
  t.match(await jobs.call.backups({ instanceId: 'survival' }), [{ backupId: key.backupId }]);
});

t.test('a damaged unlisted archive is read once, and again after it has changed', async (t) => {
  const archive = path.join(temporaryFolder(t), '20260101T030000Z-abcdef.zip');
  writeFileSync(archive, 'no ZIP');
  let reads = 0;
  let fault = new GamekeeperError('backup_damaged', 'The backup is damaged.');
  const options = {
    storage: {
      settings: async () => ({}),
      files: { find: async () => [{ instanceId: 'survival', backupId: '20260101T030000Z-abcdef', archive }] },
      catalogue: { has: () => false },
    },
    pool: {
      async run() {
        reads++;
        throw fault;
      },
    },
    log: pino({ enabled: false }),
  } as unknown as UnlistedArchivesOptions;
  const now = () => new Date(1_795_000_000_000);
  const queue = new JobQueue({ limit: 1, now, ticks: () => 0, newId: () => `j${reads}`, onFailed: () => undefined });
  const damaged = new Map<string, string>();
  const look = async () => {
    await addUnlistedArchives({ ...options, queue, damaged });
    return reads;
  };
  t.equal(await look(), 1);
  t.equal(await look(), 1, 'not read again the next day');
  utimesSync(archive, 1_000, 1_000);
  t.equal(await look(), 2, 'a changed file is read again');
  writeFileSync(archive.replace('.zip', '.json'), '{}');
  t.equal(await look(), 3, 'a changed manifest causes another read');

  fault = new GamekeeperError('internal_error', 'The disk did not answer.');
  writeFileSync(archive, 'another');
  t.equal(await look(), 4);
  t.equal(await look(), 5, 'an unreadable archive is retried');
});
