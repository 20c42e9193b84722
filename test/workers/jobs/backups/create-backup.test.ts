import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { BACKUP_ID_PATTERN } from '../../../../shared/domain/backups/backup-id.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { startTestJobs, type TestJobs } from '../../../support/jobs/test-jobs.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { fill } from '../../pool/round-trip.ts';

const SURVIVAL = { instanceId: 'survival', cloudReplicate: true, reason: 'manual' } as const;

function makeWorld({ home }: TestJobs, more: Record<string, string | Buffer> = {}): string {
  return fill(home.instanceDirectory('survival'), {
    'world/region/r.0.0.mca': randomBytes(100_000),
    'world/session.lock': 'x',
    'server.properties': 'motd=hi\n',
    ...more,
  });
}

t.test('a backup writes an archive and a catalogue entry while the folder is locked', async (t) => {
  if (!requireProgram(t, 'unzip', 'unzip')) return;
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const job = await jobs.done(jobs.call.startBackup(SURVIVAL));
  t.match(job, { kind: 'backup', instanceId: 'survival', state: 'done', percent: 100, backupId: BACKUP_ID_PATTERN });
  const key = { instanceId: 'survival', backupId: job.backupId! };
  const backup = await jobs.call.backup(key);
  t.match(backup, {
    ...key,
    reason: 'manual',
    software: 'demo',
    version: '1.0',
    cloudStatus: 'not_configured',
    quiesced: true,
    pinned: false,
    fileCount: 2,
    changedFiles: [],
  });
  t.notHas(backup, { file: String }, 'paths on this machine stay private');
  const archive = await jobs.call.archivePath(key);
  t.equal(archive, path.join(jobs.home.backups, 'survival', `${key.backupId}.zip`));
  const bytes = readFileSync(archive);
  t.equal(backup.sha256, createHash('sha256').update(bytes).digest('hex'));
  t.equal(backup.sizeBytes, bytes.length);
  t.match(execFileSync('unzip', ['-t', archive], { encoding: 'utf8' }), /No errors detected/);
  t.same((await jobs.daemon.supervisor('survival')).heard, ['hold backing-up', 'renew', 'release']);
  t.same(jobs.daemon.recorded, ['survival backup'], 'the history shows it');
  t.same(
    readdirSync(path.dirname(archive)),
    [`${key.backupId}.json`, `${key.backupId}.zip`],
    'only the archive and its manifest',
  );
});

t.test('backups are listed newest first, survive a restart, and can be pinned and deleted', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const first = await jobs.done(jobs.call.startBackup({ ...SURVIVAL, cloudReplicate: false }));
  const second = await jobs.done(jobs.call.startBackup(SURVIVAL));
  await jobs.restart();
  const listed = await jobs.call.backups({ instanceId: 'survival' });
  t.same(listed.map(({ backupId }) => backupId).toSorted(), [first.backupId, second.backupId].toSorted());
  t.equal(listed.find(({ backupId }) => backupId === first.backupId)?.cloudStatus, 'disabled');
  t.same(await jobs.call.backups({ instanceId: 'creative' }), []);
  const [newest, oldest] = listed;
  t.same(await jobs.call.backups({ ...SURVIVAL, limit: 1 }), [newest]);
  t.same(await jobs.call.backups({ ...SURVIVAL, before: newest!.backupId, limit: 5 }), [oldest]);
  t.same(await jobs.call.backups({ ...SURVIVAL, before: oldest!.backupId }), []);

  const key = { instanceId: 'survival', backupId: first.backupId! };
  t.equal((await jobs.call.setPinned({ ...key, pinned: true })).pinned, true);
  t.equal((await jobs.call.backup(key)).pinned, true);

  const archive = await jobs.call.archivePath(key);
  await jobs.call.deleteBackup(key);
  t.notOk(existsSync(archive));
  await t.rejects(jobs.call.backup(key), { code: 'backup_not_found' });
  await t.rejects(jobs.call.deleteBackup(key), { code: 'backup_not_found' });
  await t.rejects(jobs.call.setPinned({ ...key, pinned: true }), { code: 'backup_not_found' });
  t.match(await jobs.call.backups(SURVIVAL), [{ backupId: second.backupId!, local: 'present' }]);
  rmSync(await jobs.call.archivePath({ ...key, backupId: second.backupId! }));
  t.match(await jobs.call.backups(SURVIVAL), [{ local: 'missing' }]);
});

t.test('a backup of a world that was not saved to disk is marked as such, and the console says so once', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const supervisor = await jobs.daemon.supervisor('survival');
  supervisor.onHold = () => ({ quiesced: false });
  const { backupId } = await jobs.done(jobs.call.startBackup(SURVIVAL));
  t.equal((await jobs.call.backup({ instanceId: 'survival', backupId: backupId! })).quiesced, false);
  t.same(supervisor.heard, [
    'hold backing-up',
    `notice The backup ${backupId} was made while the server was running and may contain files of different moments. For a consistent backup, stop the server first.`,
    'release',
  ]);
});

t.test('archives go to the configured folder, and earlier ones stay known after a change', async (t) => {
  const elsewhere = temporaryFolder(t);
  const jobs = await startTestJobs(t);
  makeWorld(jobs, { 'cache/x.tmp': 'x' });
  jobs.daemon.settings.backups = { ...jobs.daemon.settings.backups, directory: elsewhere, exclude: ['*.tmp'] };
  const { backupId } = await jobs.done(jobs.call.startBackup(SURVIVAL));
  const archive = path.join(elsewhere, 'survival', `${backupId}.zip`);
  t.ok(existsSync(archive));
  t.equal(
    (await jobs.call.backup({ instanceId: 'survival', backupId: backupId! })).fileCount,
    2,
    'without excluded files',
  );
  jobs.daemon.settings.backups = { concurrency: 1, exclude: [] };
  t.equal(await jobs.call.archivePath({ instanceId: 'survival', backupId: backupId! }), archive);
});

t.test('a backups folder inside the server’s folder is refused, also through a link', async (t) => {
  const jobs = await startTestJobs(t);
  const folder = makeWorld(jobs);
  const link = path.join(temporaryFolder(t), 'link');
  mkdirSync(path.join(folder, 'backups'));
  symlinkSync(path.join(folder, 'backups'), link);
  for (const directory of [path.join(folder, 'backups'), folder, link]) {
    jobs.daemon.settings.backups = { ...jobs.daemon.settings.backups, directory };
    await t.rejects(jobs.done(jobs.call.startBackup(SURVIVAL)), {
      code: 'invalid_state',
      message: /inside the server's own folder/,
    });
  }
  t.same((await jobs.daemon.supervisor('survival')).held, false);
});

t.test('requests that cannot succeed are refused at once', async (t) => {
  const jobs = await startTestJobs(t);
  await t.rejects(jobs.call.startBackup({ ...SURVIVAL, instanceId: 'nobody' }), { code: 'instance_not_found' });
  await t.rejects(jobs.done(jobs.call.startBackup(SURVIVAL)), { code: 'invalid_state', message: /is missing/ });
  const key = { instanceId: 'survival', backupId: '20261120T081500Z-4f9c2a' };
  await t.rejects(jobs.call.startVerify(key), { code: 'backup_not_found' });
  await t.rejects(jobs.call.startRestore(key), { code: 'backup_not_found' });
  await t.rejects(jobs.call.archivePath(key), { code: 'backup_not_found' });
  await t.rejects(jobs.call.waitForJob('nothing'), { code: 'job_not_found' });
  t.equal(await jobs.call.job('nothing'), null);
});

t.test('a second backup of an instance is refused while one runs', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const gate = Promise.withResolvers<{ quiesced: boolean }>();
  (await jobs.daemon.supervisor('survival')).onHold = () => gate.promise;
  const first = jobs.done(jobs.call.startBackup(SURVIVAL));
  await until('the first one runs', async () => (await jobs.call.jobs()).some(({ state }) => state === 'running'));
  await t.rejects(jobs.call.startBackup(SURVIVAL), { code: 'backup_in_progress' });
  gate.resolve({ quiesced: true });
  t.match(await first, { state: 'done' });
});

t.test('an error of the supervisor becomes the error of the job', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  (await jobs.daemon.supervisor('survival')).onHold = () => {
    throw new GamekeeperError('rcon_unavailable', 'The world could not be saved within 120 s.');
  };
  const job = await jobs.call.startBackup(SURVIVAL);
  await t.rejects(jobs.call.waitForJob(job.jobId), { code: 'rcon_unavailable', message: /120 s/ });
  t.match(await jobs.call.job(job.jobId), { state: 'failed', error: { code: 'rcon_unavailable', detail: /120 s/ } });
});

t.test('verifying reports a whole, a damaged and a missing archive', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const { backupId } = await jobs.done(jobs.call.startBackup(SURVIVAL));
  const key = { instanceId: 'survival', backupId: backupId! };
  const { sha256 } = await jobs.call.backup(key);
  const good = await jobs.done(jobs.call.startVerify(key));
  t.match(good, { state: 'done', backupId });
  t.same(await jobs.call.verification(good.jobId), { ok: true, sha256, replicas: [] });

  const archive = await jobs.call.archivePath(key);
  const bytes = readFileSync(archive);
  bytes[5000]! ^= 1;
  writeFileSync(archive, bytes);
  const bad = await jobs.call.startVerify(key);
  await t.rejects(jobs.call.waitForJob(bad.jobId), { code: 'backup_damaged', message: /SHA-256/ });
  t.match(await jobs.call.verification(bad.jobId), { ok: false });

  rmSync(archive);
  await t.rejects(jobs.call.startVerify(key), { code: 'backup_damaged', message: /missing/ });
});

t.test('a deleted instance leaves its backups, unless they are to be deleted, too', async (t) => {
  const jobs = await startTestJobs(t, { instances: ['survival', 'creative'] });
  makeWorld(jobs);
  fill(jobs.home.instanceDirectory('creative'), { 'a.txt': 'a' });
  await jobs.done(jobs.call.startBackup(SURVIVAL));
  await jobs.done(jobs.call.startBackup({ ...SURVIVAL, instanceId: 'creative' }));
  await jobs.call.forgetInstance({ instanceId: 'survival', backups: true, mods: true });
  t.same(await jobs.call.backups({ instanceId: 'survival' }), []);
  t.notOk(existsSync(path.join(jobs.home.backups, 'survival')), 'including the folder');
  await jobs.call.forgetInstance({ instanceId: 'creative', backups: false, mods: true });
  t.equal((await jobs.call.backups({ instanceId: 'creative' })).length, 1, 'kept for an instance with the same id');
});
