import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { openDatabase } from '../../../../workers/jobs/resources/database.ts';
import { startTestJobs, type TestJobs } from '../../../support/jobs/test-jobs.ts';
import { until } from '../../../support/machine/until.ts';
import { fill } from '../../pool/round-trip.ts';

const SURVIVAL = { instanceId: 'survival', cloudReplicate: false, reason: 'manual' } as const;
const GIB = 1024 ** 3;

/** A world that takes some seconds to archive but uses no disk space. */
function makeLargeWorld({ home }: TestJobs, id = 'survival', bytes = 2 * GIB): void {
  fill(home.instanceDirectory(id), { 'huge.bin': '', 'level.dat': 'x' });
  truncateSync(path.join(home.instanceDirectory(id), 'huge.bin'), bytes);
}

/** Starts a backup and resolves once bytes are being archived. */
async function midway(jobs: TestJobs, id = 'survival') {
  const { jobId } = await jobs.call.startBackup({ ...SURVIVAL, instanceId: id });
  await until('the archive is being written', async () => ((await jobs.call.job(jobId))?.bytesDone ?? 0) > 0);
  return jobId;
}

function leftovers({ home }: TestJobs, id = 'survival'): string[] {
  return readdirSync(path.join(home.backups, id));
}

t.test('a cancelled backup leaves no file and unlocks the folder', async (t) => {
  const jobs = await startTestJobs(t);
  makeLargeWorld(jobs);
  const jobId = await midway(jobs);
  await jobs.call.cancel(jobId);
  await t.rejects(jobs.call.waitForJob(jobId, { timeoutMs: 0 }), {
    code: 'invalid_state',
    message: 'The job was cancelled.',
  });
  t.match(await jobs.call.job(jobId), { state: 'cancelled' });
  t.same(leftovers(jobs), []);
  t.same((await jobs.daemon.supervisor('survival')).heard, ['hold backing-up', 'release']);
  t.same(await jobs.call.backups({ instanceId: 'survival' }), []);
});

t.test('a backup that is cancelled while it waits for the world ends at once and gives up its lock', async (t) => {
  const jobs = await startTestJobs(t);
  makeLargeWorld(jobs);
  const supervisor = await jobs.daemon.supervisor('survival');
  supervisor.onHold = () => new Promise(() => undefined);
  const { jobId } = await jobs.call.startBackup(SURVIVAL);
  await until('the lock was requested', () => supervisor.heard.length > 0);
  await jobs.call.cancel(jobId);
  await t.rejects(jobs.call.waitForJob(jobId), { code: 'invalid_state' });
  await until('the supervisor noticed', () => supervisor.heard.includes('lost'));
});

t.test('a backup fails if its supervisor dies, since the folder may change', async (t) => {
  const jobs = await startTestJobs(t);
  makeLargeWorld(jobs);
  const jobId = await midway(jobs);
  await (await jobs.daemon.supervisor('survival')).die();
  await t.rejects(jobs.call.waitForJob(jobId, { timeoutMs: 0 }), {
    code: 'worker_unavailable',
    message: /lock on the folder of "survival" was lost/,
  });
  t.same(leftovers(jobs), []);
});

t.test('the end of the jobs process ends backups, leaves no file and unlocks the folder', async (t) => {
  const jobs = await startTestJobs(t);
  makeLargeWorld(jobs);
  await midway(jobs);
  await jobs.stop();
  t.same(leftovers(jobs), []);
  t.same((await jobs.daemon.supervisor('survival')).heard, ['hold backing-up', 'release']);
});

t.test('the limit for this machine applies across instances', async (t) => {
  const jobs = await startTestJobs(t, { instances: ['survival', 'creative', 'lobby'] });
  for (const id of ['survival', 'creative', 'lobby']) makeLargeWorld(jobs, id);
  jobs.daemon.setBackups({ concurrency: 2 });
  for (const id of ['survival', 'creative', 'lobby']) await jobs.call.startBackup({ ...SURVIVAL, instanceId: id });
  await until(
    'two archives are being written',
    async () => (await jobs.call.jobs()).filter(({ bytesDone }) => bytesDone > 0).length === 2,
  );
  t.same(
    (await jobs.call.jobs()).map(({ state }) => state),
    ['running', 'running', 'queued'],
  );
  for (const { jobId } of await jobs.call.jobs()) await jobs.call.cancel(jobId);
});

t.test('a backup that is being read is not deleted', async (t) => {
  const jobs = await startTestJobs(t);
  makeLargeWorld(jobs, 'survival', GIB / 2);
  const { backupId } = await jobs.done(jobs.call.startBackup(SURVIVAL));
  const key = { instanceId: 'survival', backupId: backupId! };
  const { jobId } = await jobs.call.startVerify(key);
  await t.rejects(jobs.call.deleteBackup(key), { code: 'already_in_progress' });
  await jobs.call.cancel(jobId);
  await t.rejects(jobs.call.waitForJob(jobId));
  await jobs.call.deleteBackup(key);
});

t.test('a start after a crash removes incomplete archives and keeps complete ones', async (t) => {
  const jobs = await startTestJobs(t);
  fill(jobs.home.instanceDirectory('survival'), { 'a.txt': 'a' });
  const kept = await jobs.done(jobs.call.startBackup(SURVIVAL));
  const unnamed = await jobs.done(jobs.call.startBackup(SURVIVAL));
  const deleted = await jobs.done(jobs.call.startBackup(SURVIVAL));
  await jobs.stop();
  // As after kill -9: before the rename, after the rename, during a deletion, during the archiving.
  const database = openDatabase(jobs.home.database);
  const setState = database.prepare('UPDATE backup SET state = ? WHERE backup_id = ?');
  setState.run('writing', kept.backupId!);
  setState.run('writing', unnamed.backupId!);
  setState.run('deleting', deleted.backupId!);
  database.close();
  const folder = path.join(jobs.home.backups, 'survival');
  rmSync(path.join(folder, `${unnamed.backupId}.zip`));
  writeFileSync(path.join(folder, `${unnamed.backupId}.zip.partial`), 'half');
  mkdirSync(path.join(jobs.home.backups, 'other'));
  writeFileSync(path.join(jobs.home.backups, 'other', '20261120T081500Z-4f9c2a.zip.partial'), 'half');

  await jobs.restart();
  t.same(
    (await jobs.call.backups({ instanceId: 'survival' })).map(({ backupId }) => backupId),
    [kept.backupId],
  );
  t.same(leftovers(jobs), [`${kept.backupId}.json`, `${kept.backupId}.zip`]);
  t.same(leftovers(jobs, 'other'), []);
  t.match(await jobs.done(jobs.call.startVerify({ instanceId: 'survival', backupId: kept.backupId! })), {
    state: 'done',
  });
});
