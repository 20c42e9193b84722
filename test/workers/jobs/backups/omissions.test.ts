import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { startTestJobs } from '../../../support/jobs/test-jobs.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { fill } from '../../pool/round-trip.ts';

const SURVIVAL = { instanceId: 'survival', cloudReplicate: false, reason: 'manual' } as const;

t.test(
  'what a backup lacks is in the job, the catalogue, the manifest, the console, the stats and a verification',
  async (t) => {
    const jobs = await startTestJobs(t);
    const folder = fill(jobs.home.instanceDirectory('survival'), { 'world/level.dat': 'x', 'plugins/a.jar': 'x' });
    symlinkSync(fill(temporaryFolder(t), { '0.png': 'x' }), path.join(folder, 'plugins/map'));
    const expected = { omitted: [{ path: 'plugins/map', reason: 'outside-link' }], omittedCount: 1 };
    const job = await jobs.done(jobs.call.startBackup(SURVIVAL));
    t.match(job, expected);
    const key = { instanceId: 'survival', backupId: job.backupId! };
    t.match(await jobs.call.backup(key), { ...expected, skippedCount: 0 });
    const manifest = (await jobs.call.archivePath(key)).replace(/zip$/, 'json');
    t.match(JSON.parse(readFileSync(manifest, 'utf8')), expected);
    const { heard } = await jobs.daemon.supervisor('survival');
    t.equal(
      heard.at(-2),
      `notice The backup ${key.backupId} does not contain everything: plugins/map (a link that leads out of the server folder).`,
    );
    t.match((await jobs.call.stats()).backups, [{ newest: { omitted: 1 } }]);
    const verified = await jobs.done(jobs.call.startVerify(key));
    t.match(await jobs.call.verification(verified.jobId), { ok: true, ...expected });
  },
);

t.test('a backup whose world is behind a link fails, and a restore leaves that world alone', async (t) => {
  const jobs = await startTestJobs(t);
  const folder = fill(jobs.home.instanceDirectory('survival'), { 'world/level.dat': 'then', 'server.properties': '' });
  const { backupId } = await jobs.done(jobs.call.startBackup(SURVIVAL));
  const outside = fill(temporaryFolder(t), { 'level.dat': 'outside' });
  rmSync(path.join(folder, 'world'), { recursive: true });
  symlinkSync(outside, path.join(folder, 'world'));
  await t.rejects(jobs.done(jobs.call.startBackup(SURVIVAL)), {
    code: 'invalid_state',
    message: '"world" is a link that leads out of the server\'s folder, so the world would not be in the backup.',
  });
  t.equal((await jobs.call.backups({ instanceId: 'survival' })).length, 1);

  await jobs.done(jobs.call.startRestore({ instanceId: 'survival', backupId: backupId! }));
  t.equal(readFileSync(path.join(folder, 'world/level.dat'), 'utf8'), 'then');
  t.equal(readFileSync(path.join(outside, 'level.dat'), 'utf8'), 'outside');
  const [safety] = (await jobs.call.backups({ instanceId: 'survival' })).filter(
    ({ reason }) => reason === 'before-restore',
  );
  t.match(safety, { omitted: [{ path: 'world', reason: 'outside-link' }] });
});

t.test('a backup of an earlier version, which recorded no omissions, is found again by its manifest', async (t) => {
  const jobs = await startTestJobs(t);
  fill(jobs.home.instanceDirectory('survival'), { 'world/level.dat': 'x' });
  const { backupId } = await jobs.done(jobs.call.startBackup(SURVIVAL));
  const key = { instanceId: 'survival', backupId: backupId! };
  const manifest = (await jobs.call.archivePath(key)).replace(/zip$/, 'json');
  const { omitted, omittedCount, cloudReplicate, ...former } = JSON.parse(readFileSync(manifest, 'utf8'));
  await jobs.stop();
  writeFileSync(manifest, JSON.stringify({ ...former, cloudReplicate }));
  for (const ending of ['', '-wal', '-shm']) rmSync(jobs.home.database + ending, { force: true });
  await jobs.restart();
  const [found] = await until('it is listed', async () => {
    const backups = await jobs.call.backups({ instanceId: 'survival' });
    return backups.length === 1 && backups;
  });
  t.match(found, { ...former, omitted, omittedCount });
});
