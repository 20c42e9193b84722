import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { startTestJobs, type TestJobs } from '../../../../support/jobs/test-jobs.ts';
import { damage } from '../../../../support/machine/damage.ts';
import { until } from '../../../../support/machine/until.ts';
import { inventory } from '../../../pool/round-trip.ts';
import { backUp, copiesAre, folderStore, makeWorld } from '../replication/copies.ts';

/** Returns what a drill has left beside the servers' folders. */
function scratch({ home }: TestJobs): string[] {
  return readdirSync(home.instances).filter((name) => name.startsWith('.gamekeeper'));
}

t.test('a drill restores beside a running server, records the result and leaves no file', async (t) => {
  const jobs = await startTestJobs(t);
  const folder = makeWorld(jobs);
  symlinkSync('world', path.join(folder, 'link'));
  const key = await backUp(jobs);
  jobs.daemon.change('survival', { phase: 'running' });
  const before = inventory(folder);
  t.match(await jobs.done(jobs.call.startDrill(key)), { kind: 'drill', state: 'done', percent: 100 });
  t.match((await jobs.call.backup(key)).lastDrill, { ok: true, fileCount: 3, at: String, durationMs: Number });
  t.same(inventory(folder), before);
  t.same(scratch(jobs), []);
  t.same(
    (await jobs.daemon.supervisor('survival')).heard,
    ['hold backing-up', 'renew', 'release'],
    'only the backup took a lock, not the drill',
  );
});

t.test('a drill of a damaged backup fails, and the failure is recorded', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs);
  const key = await backUp(jobs);
  damage(await jobs.call.archivePath(key));
  await t.rejects(jobs.done(jobs.call.startDrill(key)), { code: 'backup_damaged' });
  t.match(await jobs.call.backup(key), { local: 'damaged', lastDrill: { ok: false, error: /SHA-256/ } });
  t.same(scratch(jobs), []);
});

t.test('a drill without the archive fetches a copy, like a restore', async (t) => {
  const jobs = await startTestJobs(t);
  const nas = folderStore(t);
  jobs.daemon.setBackups({ stores: [nas] });
  makeWorld(jobs);
  const key = await backUp(jobs);
  await copiesAre(jobs, key, 'replicated');
  const archive = await jobs.call.archivePath(key);
  rmSync(archive);
  await jobs.done(jobs.call.startDrill(key));
  t.match(await jobs.call.backup(key), { local: 'present', lastDrill: { ok: true } });
  t.ok(existsSync(archive));
});

t.test('a cancelled drill leaves no file and records no result', async (t) => {
  const jobs = await startTestJobs(t);
  makeWorld(jobs, 60_000_000);
  const key = await backUp(jobs);
  const { jobId } = await jobs.call.startDrill(key);
  await until('it unpacks', () => scratch(jobs).length > 0);
  await jobs.call.cancel(jobId);
  await t.rejects(jobs.call.waitForJob(jobId), { code: 'invalid_state' });
  t.same(scratch(jobs), []);
  t.notHas(await jobs.call.backup(key), { lastDrill: Object });
});
