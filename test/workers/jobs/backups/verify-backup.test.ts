import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { startTestJobs } from '../../../support/jobs/test-jobs.ts';
import { damage } from '../../../support/machine/damage.ts';
import { backUp, copiesAre, folderStore, makeWorld } from './replication/copies.ts';

/** A backup with a copy in each of two stores. */
async function copied(t: Test) {
  const jobs = await startTestJobs(t);
  const stores = [folderStore(t, 'nas'), folderStore(t, 'usb')] as const;
  jobs.daemon.setBackups({ stores });
  makeWorld(jobs);
  const key = await backUp(jobs);
  const { sha256 } = await copiesAre(jobs, key, 'replicated', 'replicated');
  const [nas, usb] = stores.map(({ directory }) => path.join(directory, 'survival', `${key.backupId}.zip`));
  const verify = async () => {
    const { jobId } = await jobs.done(jobs.call.startVerify(key));
    return jobs.call.verification(jobId);
  };
  return { jobs, stores, key, sha256, verify, archive: await jobs.call.archivePath(key), nas: nas!, usb: usb! };
}

t.test('verifying checks the archive and each copy', async (t) => {
  const { jobs, key, sha256, verify } = await copied(t);
  t.same(await verify(), {
    ok: true,
    sha256,
    replicas: [
      { store: 'nas', ok: true },
      { store: 'usb', ok: true },
    ],
  });
  t.match(await jobs.call.backup(key), { lastVerified: { ok: true, at: String }, local: 'present' });
});

t.test('missing and damaged copies are found and made again', async (t) => {
  const { jobs, key, sha256, verify, archive, nas, usb } = await copied(t);
  rmSync(nas);
  damage(usb);
  t.same(await verify(), {
    ok: false,
    sha256,
    replicas: [
      { store: 'nas', ok: false, error: 'It is gone from the store.' },
      { store: 'usb', ok: false, error: 'It is damaged.' },
    ],
  });
  t.match(await jobs.call.backup(key), { lastVerified: { ok: false } });
  await copiesAre(jobs, key, 'replicated', 'replicated');
  for (const copy of [nas, usb]) t.same(readFileSync(copy), readFileSync(archive));
});

t.test('a bad copy of a damaged archive stays marked as bad', async (t) => {
  const { jobs, key, verify, archive, nas } = await copied(t);
  damage(archive);
  rmSync(nas);
  t.match(await verify(), { ok: false, local: 'damaged', replicas: [{ ok: false }, { ok: true }] });
  t.match(await jobs.call.backup(key), {
    local: 'damaged',
    cloudStatus: 'partial',
    replicas: [{ state: 'missing' }, { state: 'replicated' }],
  });
});

t.test('verifying succeeds without the archive if a copy is whole', async (t) => {
  const { verify, archive } = await copied(t);
  rmSync(archive);
  t.match(await verify(), { ok: false, local: 'missing', replicas: [{ ok: true }, { ok: true }] });
});

t.test('verifying fails if neither the archive nor any copy is whole', async (t) => {
  const { jobs, key, archive, nas, usb } = await copied(t);
  for (const file of [archive, nas, usb]) damage(file);
  const { jobId } = await jobs.call.startVerify(key);
  await t.rejects(jobs.call.waitForJob(jobId), { code: 'backup_damaged', message: /SHA-256/ });
  t.match(await jobs.call.verification(jobId), { ok: false, replicas: [{ ok: false }, { ok: false }] });
});

t.test('an unreachable store leaves the state of its copy unchanged', async (t) => {
  const { jobs, stores, key, verify } = await copied(t);
  renameSync(stores[1].directory, `${stores[1].directory}-unplugged`);
  t.match(await verify(), { ok: false, replicas: [{ ok: true }, { ok: false, error: /"usb" is not there/ }] });
  t.match((await jobs.call.backup(key)).replicas, [{ state: 'replicated' }, { state: 'replicated' }]);
});

t.test('an archive that was put back is no longer marked as damaged', async (t) => {
  const { jobs, key, verify, archive } = await copied(t);
  const good = readFileSync(archive);
  damage(archive);
  await verify();
  t.equal((await jobs.call.backup(key)).local, 'damaged');
  writeFileSync(archive, good);
  t.match(await verify(), { ok: true });
  t.equal((await jobs.call.backup(key)).local, 'present');
});
