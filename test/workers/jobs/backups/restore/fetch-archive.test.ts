import { execFileSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { generateIdentity } from 'age-encryption';
import t from 'tap';
import { startTestJobs, type TestJobs } from '../../../../support/jobs/test-jobs.ts';
import { damage } from '../../../../support/machine/damage.ts';
import { requireProgram } from '../../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { until } from '../../../../support/machine/until.ts';
import { fill, inventory } from '../../../pool/round-trip.ts';
import { backUp, copiesAre, copiesIn, folderStore, makeWorld } from '../replication/copies.ts';

/** A backup with copies, and a folder that has changed since. */
async function copied(jobs: TestJobs, ...stores: ReturnType<typeof folderStore>[]) {
  const folder = makeWorld(jobs);
  const key = await backUp(jobs);
  await copiesAre(jobs, key, ...stores.map(() => 'replicated' as const));
  const then = inventory(folder);
  fill(folder, { 'world/level.dat': 'now' });
  const archive = await jobs.call.archivePath(key);
  const copyIn = (store: { directory: string }) => path.join(store.directory, ...copyKey(key));
  return { folder, key, then, archive, copyIn };
}
const copyKey = ({ instanceId, backupId }: { instanceId: string; backupId: string }) => [instanceId, `${backupId}.zip`];

for (const [what, harm] of [
  ['gone', (archive: string) => rmSync(archive)],
  ['damaged', damage],
  ['gone with its whole folder', (archive: string) => rmSync(path.dirname(archive), { recursive: true })],
] as const)
  t.test(`a backup whose archive is ${what} is restored from its copy, which also replaces the archive`, async (t) => {
    const jobs = await startTestJobs(t);
    const nas = folderStore(t);
    jobs.daemon.setBackups({ stores: [nas] });
    const { folder, key, then, archive } = await copied(jobs, nas);
    harm(archive);
    const job = await jobs.done(jobs.call.startRestore(key));
    t.match(job, { state: 'done', percent: 100 });
    t.same(inventory(folder), then);
    t.match(await jobs.call.backup(key), { local: 'present', cloudStatus: 'replicated' });
    t.match(await jobs.done(jobs.call.startVerify(key)), { state: 'done' }, 'the archive is intact again');
    const left = readdirSync(path.dirname(archive)).filter((name) => !/^[^.]+\.(zip|json)$/.test(name));
    t.same(left, [], 'no partial download is left');
  });

t.test('a damaged copy is skipped for the next one, and made again', async (t) => {
  const jobs = await startTestJobs(t);
  const [nas, usb] = [folderStore(t, 'nas'), folderStore(t, 'usb')];
  jobs.daemon.setBackups({ stores: [nas, usb] });
  const { folder, key, then, archive, copyIn } = await copied(jobs, nas, usb);
  rmSync(archive);
  damage(copyIn(nas));
  await jobs.done(jobs.call.startRestore(key));
  t.same(inventory(folder), then);
  await copiesAre(jobs, key, 'replicated', 'replicated');
  t.same(readFileSync(copyIn(nas)), readFileSync(archive));
});

t.test('if no copy can be fetched, the folder stays unchanged and the error names each reason', async (t) => {
  const jobs = await startTestJobs(t);
  const [nas, usb] = [folderStore(t, 'nas'), folderStore(t, 'usb')];
  jobs.daemon.setBackups({ stores: [nas, usb] });
  const { folder, key, archive, copyIn } = await copied(jobs, nas, usb);
  const now = inventory(folder);
  rmSync(archive);
  rmSync(copyIn(nas));
  renameSync(usb.directory, `${usb.directory}-unplugged`);
  await t.rejects(jobs.done(jobs.call.startRestore(key)), {
    code: 'backup_damaged',
    message: /The copy in the store "nas" is gone\. The store "usb" is not there/,
  });
  t.same(inventory(folder), now);
  t.notOk((await jobs.daemon.supervisor('survival')).held);
  t.same(
    readdirSync(jobs.home.instances).filter((name) => name.startsWith('.')),
    [],
  );
});

t.test('a backup without archive and copies is refused at once', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const key = await backUp(jobs);
  rmSync(await jobs.call.archivePath(key));
  for (const start of [jobs.call.startRestore, jobs.call.startDrill, jobs.call.startVerify])
    await t.rejects(start(key), { code: 'backup_damaged', message: /missing/ });
});

t.test('a fetched archive goes to the configured folder', async (t) => {
  const jobs = await startTestJobs(t);
  const nas = folderStore(t);
  jobs.daemon.setBackups({ stores: [nas] });
  const { key, archive } = await copied(jobs, nas);
  const elsewhere = temporaryFolder(t);
  jobs.daemon.setBackups({ stores: [nas], directory: elsewhere });
  rmSync(archive);
  await jobs.done(jobs.call.startRestore(key));
  t.equal(await jobs.call.archivePath(key), path.join(elsewhere, ...copyKey(key)));
  t.ok(existsSync(path.join(elsewhere, ...copyKey(key))));
});

t.test('copies are encrypted if the settings want it, and can be restored', async (t) => {
  const identity = await generateIdentity();
  const jobs = await startTestJobs(t);
  const [nas, usb] = [folderStore(t, 'nas'), folderStore(t, 'usb')];
  jobs.daemon.setBackups({ stores: [nas, usb], encryption: { identity } });
  const { folder, key, then, archive } = await copied(jobs, nas, usb);
  const { replicas } = await jobs.call.backup(key);
  t.match(replicas, [{ encrypted: true }, { encrypted: true }]);
  t.same(copiesIn(nas), [`${key.backupId}.zip.age`]);
  const encrypted = readFileSync(path.join(nas.directory, 'survival', `${key.backupId}.zip.age`));
  t.same(
    readFileSync(path.join(usb.directory, 'survival', `${key.backupId}.zip.age`)),
    encrypted,
    'encrypted once for both stores',
  );
  t.match(encrypted.subarray(0, 21).toString(), 'age-encryption.org/v1');
  await until('the temporary file is gone', () => !existsSync(`${archive}.age`));
  if (requireProgram(t, 'age', 'age')) {
    const keyFile = path.join(temporaryFolder(t), 'identity');
    writeFileSync(keyFile, identity);
    t.same(execFileSync('age', ['-d', '-i', keyFile], { input: encrypted }), readFileSync(archive));
  }
  t.match(await jobs.done(jobs.call.startVerify(key)), { state: 'done' });

  rmSync(archive);
  jobs.daemon.setBackups({ stores: [nas, usb] });
  await t.rejects(jobs.done(jobs.call.startRestore(key)), { code: 'backup_damaged', message: /no private key/ });
  t.match((await jobs.call.backup(key)).replicas, [{ state: 'replicated' }, { state: 'replicated' }]);
  jobs.daemon.setBackups({ stores: [nas, usb], encryption: { identity } });
  await jobs.done(jobs.call.startRestore(key));
  t.same(inventory(folder), then);
});

t.test('a restore that is cancelled during the download leaves no file and unlocks the folder', async (t) => {
  const jobs = await startTestJobs(t);
  const nas = folderStore(t);
  jobs.daemon.setBackups({ stores: [nas] });
  const { folder, key, archive } = await copied(jobs, nas);
  const now = inventory(folder);
  rmSync(archive);
  jobs.daemon.setBackups({ stores: [nas], bandwidth: { downloadBytesPerSecond: 50_000 } });
  const { jobId } = await jobs.call.startRestore(key);
  await until('bytes are transferred', async () => ((await jobs.call.job(jobId))?.bytesDone ?? 0) > 0);
  t.ok((await jobs.daemon.supervisor('survival')).held);
  await jobs.call.cancel(jobId);
  await t.rejects(jobs.call.waitForJob(jobId), { message: 'The job was cancelled.' });
  t.same(inventory(folder), now);
  t.same(
    readdirSync(path.dirname(archive)).filter((name) => !name.endsWith('.json')),
    [],
  );
  t.notOk((await jobs.daemon.supervisor('survival')).held);
  t.match(await jobs.call.backup(key), { replicas: [{ state: 'replicated' }] });
});

t.test('an interrupted restore resumes the download', async (t) => {
  const jobs = await startTestJobs(t);
  const nas = folderStore(t);
  jobs.daemon.setBackups({ stores: [nas] });
  const { folder, key, then, archive, copyIn } = await copied(jobs, nas);
  rmSync(archive);
  jobs.daemon.setBackups({ stores: [nas], bandwidth: { downloadBytesPerSecond: 100_000 } });
  const { jobId } = await jobs.call.startRestore(key);
  const partial = () => readdirSync(path.dirname(archive)).find((name) => name.endsWith('.download.partial'));
  const size = () => (partial() === undefined ? 0 : statSync(path.join(path.dirname(archive), partial()!)).size);
  await until('bytes have arrived', () => size() > 50_000);
  const interrupted = jobs.call.waitForJob(jobId).catch((error: unknown) => error);
  await jobs.restart();
  await interrupted;
  const before = size();
  t.ok(before > 50_000, 'downloaded bytes are kept');
  t.ok(before < statSync(copyIn(nas)).size);

  // The resumed part is not downloaded again: in the store, it could be anything.
  const copy = readFileSync(copyIn(nas));
  writeFileSync(copyIn(nas), copy.fill(0, 0, 50_000));
  await jobs.done(jobs.call.startRestore(key));
  t.same(inventory(folder), then);
  t.equal(partial(), undefined);
});

t.test('damage to a partial download is not blamed on the copy', async (t) => {
  const jobs = await startTestJobs(t);
  const nas = folderStore(t);
  jobs.daemon.setBackups({ stores: [nas] });
  const { folder, key, then, archive, copyIn } = await copied(jobs, nas);
  const { sha256 } = await jobs.call.backup(key);
  rmSync(archive);
  writeFileSync(`${archive}.${sha256.slice(0, 12)}.download.partial`, Buffer.alloc(50_000));
  await jobs.done(jobs.call.startRestore(key));
  t.same(inventory(folder), then);
  t.ok(existsSync(copyIn(nas)));
  t.match((await jobs.call.backup(key)).replicas, [{ state: 'replicated' }]);
});

t.test('the start removes a download that was not resumed for a day', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const key = await backUp(jobs);
  const archive = await jobs.call.archivePath(key);
  const [old, recent] = ['0123456789ab', 'ba9876543210'].map((hash) => `${archive}.${hash}.download.partial`);
  for (const file of [old!, recent!]) writeFileSync(file, 'x');
  const longAgo = new Date(Date.now() - 25 * 3_600_000);
  utimesSync(old!, longAgo, longAgo);
  await jobs.restart();
  t.notOk(existsSync(old!));
  t.ok(existsSync(recent!));
  await jobs.call.deleteBackup(key);
  t.notOk(existsSync(recent!), 'it is removed with its backup');
});
