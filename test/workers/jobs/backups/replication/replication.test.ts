import { mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { startTestJobs } from '../../../../support/jobs/test-jobs.ts';
import { until } from '../../../../support/machine/until.ts';
import { backUp, copiesAre, copiesIn, folderStore, ID, makeWorld, SURVIVAL } from './copies.ts';

t.test('every store gets a copy after the backup is done, and the catalogue shows the state of each', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const [nas, usb] = [folderStore(t, 'nas'), folderStore(t, 'usb')];
  jobs.daemon.setBackups({ stores: [nas, usb] });
  const key = await backUp(jobs);
  const { replicas, cloudStatus, sizeBytes } = await copiesAre(jobs, key, 'replicated', 'replicated');
  t.equal(cloudStatus, 'replicated');
  t.match(replicas[0], { store: 'nas', encrypted: false, sizeBytes, attempts: 1, replicatedAt: String });
  for (const store of [nas, usb]) {
    const copy = path.join(store.directory, 'survival', `${key.backupId}.zip`);
    t.same(readFileSync(copy), readFileSync(await jobs.call.archivePath(key)));
    t.same(copiesIn(store), [`${key.backupId}.zip`], 'no other file');
  }
  const transfers = (await jobs.call.jobs()).filter(({ kind }) => kind === 'replicate');
  t.match(transfers, [
    { ...key, store: 'nas', state: 'done' },
    { ...key, store: 'usb', state: 'done' },
  ]);
});

t.test('no copy is made unless one is wanted', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  t.equal((await jobs.call.backup(await backUp(jobs))).cloudStatus, 'not_configured');
  const nas = folderStore(t);
  jobs.daemon.setBackups({ stores: [nas] });
  const key = await backUp(jobs, { cloudReplicate: false });
  t.match(await jobs.call.backup(key), { cloudStatus: 'disabled', replicas: [] });
  t.same(copiesIn(nas), []);
});

t.test('a new store gets new backups, and older ones on request', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const old = await backUp(jobs);
  await t.rejects(jobs.call.replicate(old), { code: 'invalid_state', message: /no store/ });
  const nas = folderStore(t);
  jobs.daemon.setBackups({ stores: [nas] });
  const recent = await backUp(jobs);
  await copiesAre(jobs, recent, 'replicated');
  t.match(await jobs.call.backup(old), { cloudStatus: 'not_configured', replicas: [] });
  // The copy may be made before the answer is.
  t.match((await jobs.call.replicate(old)).cloudStatus, /^(?:pending|replicated)$/);
  await copiesAre(jobs, old, 'replicated');
  t.equal(copiesIn(nas).length, 2);
});

t.test('an unreachable store is retried, shows why it failed, and delays no other store', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const [away, nas] = [folderStore(t, 'away'), folderStore(t, 'nas')];
  renameSync(away.directory, `${away.directory}-unplugged`);
  jobs.daemon.setBackups({ stores: [away, nas] });
  const key = await backUp(jobs);
  const { replicas, cloudStatus } = await copiesAre(jobs, key, 'failed', 'replicated');
  t.equal(cloudStatus, 'partial');
  t.match(replicas[0], { attempts: 1, error: /"away" is not there/, nextAttemptAt: String });
  const pause = Date.parse(replicas[0]!.nextAttemptAt!) - Date.now();
  t.ok(pause > 20_000 && pause <= 36_000, `retried in ${pause} ms`);

  await jobs.restart();
  await until('it was retried after a restart', async () => (await jobs.call.backup(key)).replicas[0]!.attempts === 2);
  renameSync(`${away.directory}-unplugged`, away.directory);
  await jobs.call.replicate(key);
  t.equal((await copiesAre(jobs, key, 'replicated', 'replicated')).cloudStatus, 'replicated');
});

t.test('correcting the settings of a store retries its copies at once', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const nas = folderStore(t);
  jobs.daemon.setBackups({ stores: [{ ...nas, directory: `${nas.directory}-mistyped` }] });
  const key = await backUp(jobs);
  t.equal((await copiesAre(jobs, key, 'failed')).cloudStatus, 'failed');
  jobs.daemon.setBackups({ stores: [nas] });
  await copiesAre(jobs, key, 'replicated');
});

t.test('a store that leaves the settings keeps its copies, and gets the missing ones when it returns', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const nas = folderStore(t);
  jobs.daemon.setBackups({ stores: [nas] });
  const first = await backUp(jobs);
  await copiesAre(jobs, first, 'replicated');
  renameSync(nas.directory, `${nas.directory}-unplugged`);
  const second = await backUp(jobs);
  await copiesAre(jobs, second, 'failed');
  jobs.daemon.setBackups({});
  await until('the failure is reported', async () =>
    /not in the settings any more/.test((await jobs.call.backup(second)).replicas[0]?.error ?? ''),
  );
  t.match((await jobs.call.backup(first)).replicas, [{ state: 'replicated' }]);
  renameSync(`${nas.directory}-unplugged`, nas.directory);
  jobs.daemon.setBackups({ stores: [nas] });
  await copiesAre(jobs, second, 'replicated');
});

t.test('deleting a backup deletes its copies, from an unreachable store when it is back', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const [nas, usb] = [folderStore(t, 'nas'), folderStore(t, 'usb')];
  jobs.daemon.setBackups({ stores: [nas, usb] });
  const key = await backUp(jobs);
  await copiesAre(jobs, key, 'replicated', 'replicated');
  renameSync(usb.directory, `${usb.directory}-unplugged`);
  await jobs.call.deleteBackup(key);
  await t.rejects(jobs.call.backup(key), { code: 'backup_not_found' });
  await until('the first store no longer has it', () => copiesIn(nas).length === 0);

  renameSync(`${usb.directory}-unplugged`, usb.directory);
  t.equal(copiesIn(usb).length, 1);
  await jobs.restart();
  await until('the second copy is damaged too', () => copiesIn(usb).length === 0);
});

t.test('a running copy is a job that keeps its backup from being deleted and can be cancelled', async (t) => {
  const jobs = await startTestJobs(t);
  const folder = makeWorld(jobs, 3_000_000);
  const nas = folderStore(t);
  // Slow enough to be observed.
  jobs.daemon.setBackups({ stores: [nas], bandwidth: { uploadBytesPerSecond: 500_000 } });
  t.ok(folder);
  const key = await backUp(jobs);
  const copying = await until('bytes are transferred', async () => {
    const backup = await jobs.call.backup(key);
    return backup.replicas[0]?.state === 'copying' && (backup.replicas[0].percent ?? 0) > 5 && backup;
  });
  t.equal(copying.cloudStatus, 'pending');
  const { jobId } = copying.replicas[0]!;
  t.match(await jobs.call.job(jobId!), {
    kind: 'replicate',
    ...key,
    store: 'nas',
    state: 'running',
    bytesPerSecond: Number,
  });
  await t.rejects(jobs.call.deleteBackup(key), { code: 'already_in_progress', message: /copied to "nas"/ });

  await jobs.call.cancel(jobId!);
  const { replicas } = await copiesAre(jobs, key, 'failed');
  t.match(replicas[0], { error: 'It was cancelled.' });
  t.notHas(replicas[0], { nextAttemptAt: String }, 'no copy is requested');
  t.same(
    copiesIn(nas).filter((name) => name.endsWith('.zip')),
    [],
  );
  jobs.daemon.setBackups({ stores: [nas] });
  await jobs.call.replicate(key);
  await copiesAre(jobs, key, 'replicated');
  t.same(copiesIn(nas), [`${key.backupId}.zip`]);
  await jobs.call.deleteBackup(key);
  await until('the copy is removed', () => copiesIn(nas).length === 0);
});

t.test('each store gets one copy at a time, and a restart resumes', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs, 8_000_000);
  const nas = folderStore(t);
  jobs.daemon.setBackups({ stores: [nas], bandwidth: { uploadBytesPerSecond: 8_000_000 } });
  const first = await backUp(jobs);
  const second = await backUp(jobs);
  const transfers = async () => (await jobs.call.jobs()).filter(({ kind }) => kind === 'replicate');
  t.equal((await transfers()).length, 1);
  t.equal((await jobs.call.backup(second)).replicas[0]!.state, 'pending');
  await until('much has been downloaded', async () => ((await transfers())[0]?.percent ?? 0) > 75);
  await jobs.restart();
  const goesOn = await until('it is running again', async () => (await transfers())[0]);
  t.equal(goesOn.backupId, first.backupId);
  await copiesAre(jobs, first, 'replicated');
  t.equal((await jobs.call.backup(first)).replicas[0]!.attempts, 2);
  jobs.daemon.setBackups({ stores: [nas] });
  await copiesAre(jobs, second, 'replicated');
});

t.test('a damaged archive is not copied and is marked as damaged', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const nas = folderStore(t);
  const key = await backUp(jobs);
  const archive = await jobs.call.archivePath(key);
  const bytes = readFileSync(archive);
  bytes[5000]! ^= 1;
  writeFileSync(archive, bytes);
  jobs.daemon.setBackups({ stores: [nas] });
  await jobs.call.replicate(key);
  const backup = await copiesAre(jobs, key, 'failed');
  t.match(backup, { local: 'damaged', cloudStatus: 'failed', replicas: [{ error: /is damaged/ }] });
  rmSync(archive);
  t.equal((await jobs.call.backup(key)).local, 'missing');
});

t.test('many copies for an unreachable store cause one attempt', async (t) => {
  const jobs = await startTestJobs(t);
  mkdirSync(jobs.home.instanceDirectory('survival'));
  const nas = folderStore(t);
  renameSync(nas.directory, `${nas.directory}-unplugged`);
  jobs.daemon.setBackups({ stores: [nas] });
  for (let n = 0; n < 5; n++) await jobs.done(jobs.call.startBackup(SURVIVAL));
  await until('one job has failed', async () =>
    (await jobs.call.backups(ID)).some(({ cloudStatus }) => cloudStatus === 'failed'),
  );
  const states = (await jobs.call.backups(ID)).map(({ replicas }) => replicas[0]!.state);
  t.same(states.toSorted(), ['failed', 'pending', 'pending', 'pending', 'pending']);
  truncateSync(path.join(`${nas.directory}-unplugged`, '.gamekeeper-store'));
  renameSync(`${nas.directory}-unplugged`, nas.directory);
  await jobs.call.replicate({ ...ID, backupId: (await jobs.call.backups(ID))[0]!.backupId });
  await until('all copies are made', async () =>
    (await jobs.call.backups(ID)).every(({ cloudStatus }) => cloudStatus === 'replicated'),
  );
  t.equal(copiesIn(nas).length, 5);
});
