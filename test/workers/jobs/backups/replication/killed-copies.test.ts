import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { generateIdentity } from 'age-encryption';
import t, { type Test } from 'tap';
import { killProcess, setup, startProcess } from '../../../../support/jobs/start-process.ts';
import { until } from '../../../../support/machine/until.ts';
import { fill, inventory } from '../../../pool/round-trip.ts';
import { folderStore, ID, SURVIVAL } from './copies.ts';

/** Copying takes about half a second, and is killed somewhere in it. */
const WORLD_BYTES = 6_000_000;
const BYTES_PER_SECOND = 12_000_000;
const ROUNDS = 4;
const STEP_MS = 130;

async function start(t: Test, encryption?: object) {
  const { home, daemon } = await setup(t);
  const nas = folderStore(t);
  daemon.setBackups({
    stores: [nas],
    bandwidth: { uploadBytesPerSecond: BYTES_PER_SECOND, downloadBytesPerSecond: BYTES_PER_SECOND },
    ...(encryption && { encryption }),
  });
  const folder = fill(home.instanceDirectory('survival'), { 'world/r.0.0.mca': randomBytes(WORLD_BYTES) });
  const archives = path.join(home.backups, 'survival');
  return { home, daemon, folder, archives, copies: path.join(nas.directory, 'survival') };
}

type Process = Awaited<ReturnType<typeof startProcess>>;

async function backUp({ call }: Process): Promise<string> {
  const { jobId } = await call.startBackup(SURVIVAL);
  return (await call.waitForJob(jobId, { timeoutMs: 0 })).backupId!;
}

function isCopied({ call }: Process, backupId: string) {
  return until(
    `${backupId} is copied`,
    async () => (await call.backup({ ...ID, backupId })).cloudStatus === 'replicated',
    { describe: () => call.backup({ ...ID, backupId }) },
  );
}

for (const how of ['plain', 'encrypted'])
  t.test(`a kill at any moment of copying and removing (${how}) loses no copy and leaves none behind`, async (t) => {
    const encryption = how === 'encrypted' ? { identity: await generateIdentity() } : undefined;
    const { home, archives, copies } = await start(t, encryption);
    let jobs = await startProcess(t, home);
    const made: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      made.push(await backUp(jobs));
      await delay(round * STEP_MS);
      await killProcess(jobs);
      jobs = await startProcess(t, home);
    }
    const ending = encryption ? '.zip.age' : '.zip';
    for (const backupId of made) {
      await isCopied(jobs, backupId);
      const { sizeBytes, replicas } = await jobs.call.backup({ ...ID, backupId });
      t.equal(readFileSync(path.join(copies, backupId + ending)).length, replicas[0]!.sizeBytes);
      t.ok(replicas[0]!.sizeBytes! >= sizeBytes);
      const { jobId } = await jobs.call.startVerify({ ...ID, backupId });
      await jobs.call.waitForJob(jobId, { timeoutMs: 0 });
      t.match(await jobs.call.verification(jobId), { ok: true });
    }
    t.same(
      readdirSync(copies).toSorted(),
      made.map((backupId) => backupId + ending),
    );
    await until('only archives and manifests are left', () => readdirSync(archives).length === 2 * made.length, {
      describe: () => readdirSync(archives),
    });
    t.same(
      readdirSync(archives).toSorted(),
      made.flatMap((backupId) => [`${backupId}.json`, `${backupId}.zip`]),
    );

    for (const backupId of made) {
      const deleting = jobs.call.deleteBackup({ ...ID, backupId }).catch(() => undefined); // cut off
      if (backupId === made[1]) await killProcess(jobs);
      await deleting;
      if (backupId === made[1]) jobs = await startProcess(t, home);
    }
    const rest = await jobs.call.backups({ instanceId: 'survival' });
    for (const { backupId } of rest) await jobs.call.deleteBackup({ ...ID, backupId });
    await until('no copy is left', () => readdirSync(copies).length === 0, { describe: () => readdirSync(copies) });
    t.same(existsSync(archives) ? readdirSync(archives) : [], []);
  });

t.test('a kill at any moment of a restore from a copy leaves the old or the new folder', async (t) => {
  const { home, daemon, folder, archives } = await start(t);
  let jobs = await startProcess(t, home);
  const backupId = await backUp(jobs);
  await isCopied(jobs, backupId);
  const then = inventory(folder);
  const supervisor = await daemon.supervisor('survival');
  for (let round = 0; round < ROUNDS; round++) {
    fill(folder, { 'world/level.dat': `round ${round}` });
    const now = inventory(folder);
    rmSync(path.join(archives, `${backupId}.zip`), { force: true });
    await jobs.call.startRestore({ ...ID, backupId });
    await delay(100 + round * STEP_MS * 1.5);
    await killProcess(jobs);
    await until('the folder is unlocked', () => !supervisor.held);
    jobs = await startProcess(t, home);
    const found = inventory(folder);
    t.ok(
      [now, then].some((state) => isDeepStrictEqual(state, found)),
      'either the old or the new folder',
    );
    const { local, cloudStatus } = await jobs.call.backup({ ...ID, backupId });
    t.match({ local, cloudStatus }, { local: /present|missing/, cloudStatus: 'replicated' });
    const expected = (await jobs.call.backups({ instanceId: 'survival' })).flatMap((backup) => [
      `${backup.backupId}.json`,
      ...(backup.local === 'missing' ? [] : [`${backup.backupId}.zip`]),
    ]);
    const left = readdirSync(archives).filter((name) => !name.endsWith('.download.partial'));
    t.same(left.toSorted(), expected.toSorted(), 'only the resumable download is left');
    t.same(
      readdirSync(home.instances).filter((name) => name.endsWith('.new')),
      [],
    );
  }
  const { jobId } = await jobs.call.startRestore({ ...ID, backupId });
  await jobs.call.waitForJob(jobId, { timeoutMs: 0 });
  t.same(inventory(folder), then);
  t.same(
    readdirSync(archives).filter((name) => name.endsWith('.partial')),
    [],
  );
});

t.test('the start after a kill during a drill removes its temporary folder', async (t) => {
  const { home } = await start(t);
  // Takes a moment to unpack but uses no disk space.
  truncateSync(path.join(home.instanceDirectory('survival'), 'world/r.0.0.mca'), 500_000_000);
  let jobs = await startProcess(t, home);
  const backupId = await backUp(jobs);
  await jobs.call.startDrill({ ...ID, backupId });
  const scratch = () => readdirSync(home.instances).filter((name) => name.startsWith('.gamekeeper'));
  await until('it unpacks', () => scratch().length > 0);
  await killProcess(jobs);
  t.equal(scratch().length, 1);
  jobs = await startProcess(t, home);
  t.same(scratch(), []);
});
