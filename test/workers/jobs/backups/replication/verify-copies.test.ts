import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { damage } from '../../../../support/machine/damage.ts';
import { startTestJobs } from '../../test-jobs.ts';
import { backUp, copiesAre, folderStore, makeWorld } from './copies.ts';

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

t.test('verifying looks at the archive and at each copy', async (t) => {
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

t.test('a copy that is gone and one that is damaged are found, and made anew', async (t) => {
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

t.test('where the archive is damaged, too, a bad copy stays known as bad', async (t) => {
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

t.test('an archive that is gone is no failure as long as a copy is whole', async (t) => {
  const { verify, archive } = await copied(t);
  rmSync(archive);
  t.match(await verify(), { ok: false, local: 'missing', replicas: [{ ok: true }, { ok: true }] });
});

t.test('when nothing is whole any more, that is a failure', async (t) => {
  const { jobs, key, archive, nas, usb } = await copied(t);
  for (const file of [archive, nas, usb]) damage(file);
  const { jobId } = await jobs.call.startVerify(key);
  await t.rejects(jobs.call.waitForJob(jobId), { code: 'backup_damaged', message: /SHA-256/ });
  t.match(await jobs.call.verification(jobId), { ok: false, replicas: [{ ok: false }, { ok: false }] });
});

t.test('a store that cannot be asked says nothing about its copy', async (t) => {
  const { jobs, stores, key, verify } = await copied(t);
  renameSync(stores[1].directory, `${stores[1].directory}-unplugged`);
  t.match(await verify(), { ok: false, replicas: [{ ok: true }, { ok: false, error: /"usb" is not there/ }] });
  t.match((await jobs.call.backup(key)).replicas, [{ state: 'replicated' }, { state: 'replicated' }]);
});

t.test('an archive that somebody has put back is no longer called damaged', async (t) => {
  const { jobs, key, verify, archive } = await copied(t);
  const good = readFileSync(archive);
  damage(archive);
  await verify();
  t.equal((await jobs.call.backup(key)).local, 'damaged');
  writeFileSync(archive, good);
  t.match(await verify(), { ok: true });
  t.equal((await jobs.call.backup(key)).local, 'present');
});
