import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { startTestJobs, type TestJobs } from '../../../../support/jobs/test-jobs.ts';
import { damage } from '../../../../support/machine/damage.ts';
import { until } from '../../../../support/machine/until.ts';
import { fill } from '../../../pool/round-trip.ts';
import { backUp, copiesAre, copiesIn, folderStore, ID, makeWorld } from '../replication/copies.ts';

async function ids(jobs: TestJobs): Promise<string[]> {
  return (await jobs.call.backups({ instanceId: 'survival' })).map(({ backupId }) => backupId).toSorted();
}

t.test('each backup removes expired ones with their copies and adds an audit entry', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const nas = folderStore(t);
  jobs.daemon.setBackups({ stores: [nas], retention: { count: 2 } });
  const keys = [];
  for (let n = 0; n < 3; n++) {
    const key = await backUp(jobs, { reason: 'schedule' });
    await copiesAre(jobs, key, 'replicated');
    keys.push(key);
  }
  const [first, second, third] = keys.map(({ backupId }) => backupId);
  t.same(await ids(jobs), [second, third]);
  t.notOk(existsSync(path.join(jobs.home.backups, 'survival', `${first}.zip`)));
  t.notOk(existsSync(path.join(jobs.home.backups, 'survival', `${first}.json`)));
  t.same(jobs.daemon.audited, [`retention DELETE /instances/survival/backups/${first}`]);
  t.match(
    (await jobs.call.jobs()).filter(({ kind }) => kind === 'delete'),
    [{ backupId: first, state: 'done' }],
    'the removal shows as a job',
  );
  await until('the copy is removed too', () => copiesIn(nas).length === 2);
  t.same(copiesIn(nas), [`${second}.zip`, `${third}.zip`]);
});

t.test('pinned backups stay, and unpinned ones expire with the next backup', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  jobs.daemon.setBackups({ retention: { count: 1 } });
  const first = await backUp(jobs);
  await jobs.call.setPinned({ ...first, pinned: true });
  const second = await backUp(jobs);
  t.same(await ids(jobs), [first.backupId, second.backupId]);
  await jobs.call.setPinned({ ...first, pinned: false });
  const third = await backUp(jobs);
  t.same(await ids(jobs), [third.backupId]);
});

t.test('the last good backup stays even if newer ones are damaged', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const old = await backUp(jobs);
  const good = await backUp(jobs);
  const bad = await backUp(jobs);
  damage(await jobs.call.archivePath(bad));
  await t.rejects(jobs.done(jobs.call.startVerify(bad)), { code: 'backup_damaged' });
  jobs.daemon.setBackups({ retention: { count: 1 } });
  await jobs.restart();
  await until('retention has been applied', async () => !(await ids(jobs)).includes(old.backupId));
  t.same(await ids(jobs), [good.backupId, bad.backupId].toSorted());
});

t.test('a copy in a store that left the settings does not make a damaged backup good', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const nas = folderStore(t);
  const old = await backUp(jobs);
  const good = await backUp(jobs);
  jobs.daemon.setBackups({ stores: [nas] });
  const bad = await backUp(jobs);
  await copiesAre(jobs, bad, 'replicated');
  rmSync(await jobs.call.archivePath(bad));
  jobs.daemon.setBackups({ retention: { count: 1 } });
  await jobs.restart();
  await until('retention has been applied', async () => !(await ids(jobs)).includes(old.backupId));
  t.same(await ids(jobs), [good.backupId, bad.backupId].toSorted());
});

t.test('retention runs at the start and leaves the backups of deleted instances alone', async (t) => {
  const jobs = await startTestJobs(t, { instances: ['survival', 'gone'] });
  makeWorld(jobs);
  fill(jobs.home.instanceDirectory('gone'), { a: 'a' });
  for (let n = 0; n < 2; n++) await backUp(jobs);
  const { backupId } = await jobs.done(
    jobs.call.startBackup({ instanceId: 'gone', cloudReplicate: false, reason: 'manual' }),
  );
  await jobs.done(jobs.call.startBackup({ instanceId: 'gone', cloudReplicate: false, reason: 'manual' }));
  jobs.daemon.instances.delete('gone');
  jobs.daemon.setBackups({ retention: { count: 1 } });
  await jobs.restart();
  await until('one backup is left', async () => (await ids(jobs)).length === 1);
  t.equal((await jobs.call.backups({ instanceId: 'gone' })).length, 2);
  t.ok(backupId);
});

t.test('only the newest few safety backups of restores are kept', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  jobs.daemon.setBackups({ retention: { count: 5 } });
  const key = await backUp(jobs);
  for (let n = 0; n < 5; n++) await jobs.done(jobs.call.startRestore(key));
  const reasons = (await jobs.call.backups(ID)).map(({ reason }) => reason);
  t.same(reasons.toSorted(), ['before-restore', 'before-restore', 'before-restore', 'manual']);
});
