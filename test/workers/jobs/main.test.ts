import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import type { Home } from '../../../shared/node/files/home.ts';
import { killProcess, setup, startProcess } from '../../support/jobs/start-process.ts';
import { until } from '../../support/machine/until.ts';
import { fill, inventory } from '../pool/round-trip.ts';

const GIB = 1024 ** 3;
const SURVIVAL = { instanceId: 'survival', cloudReplicate: false, reason: 'manual' } as const;

async function startLongBackup(home: Home, { call }: Awaited<ReturnType<typeof startProcess>>): Promise<void> {
  fill(home.instanceDirectory('survival'), { 'huge.bin': '' });
  truncateSync(path.join(home.instanceDirectory('survival'), 'huge.bin'), 2 * GIB);
  const { jobId } = await call.startBackup(SURVIVAL);
  await until('the archive is being written', async () => ((await call.job(jobId))?.bytesDone ?? 0) > 0);
}

async function exitOf(child: ChildProcess): Promise<{ code: number | null; afterMs: number }> {
  const begun = performance.now();
  const [code] = await once(child, 'exit');
  return { code, afterMs: performance.now() - begun };
}

t.test('all threads, including those that archive, give way to games', async (t) => {
  if (process.platform !== 'linux') return;
  const { home } = await setup(t);
  const jobs = await startProcess(t, home);
  await startLongBackup(home, jobs);
  const tasks = `/proc/${jobs.child.pid}/task`;
  // proc_pid_stat(5): nice is the 19th field, the 17th behind the name in parentheses.
  const nice = readdirSync(tasks).map(
    (id) => readFileSync(`${tasks}/${id}/stat`, 'utf8').split(') ')[1]!.split(' ')[16],
  );
  t.ok(nice.length > 6);
  t.same(new Set(nice), new Set(['10']));
});

t.test('its session gives way to other sessions, where Linux compares these', async (t) => {
  const groupOf = (pid: number | 'self') => readFileSync(`/proc/${pid}/autogroup`, 'utf8');
  if (!existsSync('/proc/self/autogroup')) return;
  const own = groupOf('self');
  const { home } = await setup(t);
  const jobs = await startProcess(t, home);
  t.match(groupOf(jobs.child.pid!), /nice 10$/m);
  await killProcess(jobs);
  await startProcess(t, home, { detached: false });
  t.equal(groupOf('self'), own, 'from a terminal, all that was started there keeps its priority');
});

t.test('within a second after the daemon is gone, the process ends and unlocks the folder', async (t) => {
  const { home, daemon } = await setup(t);
  const jobs = await startProcess(t, home);
  await startLongBackup(home, jobs);
  const exit = exitOf(jobs.child);
  jobs.child.disconnect();
  const { code, afterMs } = await exit;
  t.equal(code, 1);
  t.ok(afterMs < 1500, `ended after ${Math.round(afterMs)} ms`);
  const supervisor = await daemon.supervisor('survival');
  await until('the folder is unlocked', () => !supervisor.held);
});

t.test('SIGTERM ends the process cleanly, and SIGINT from a terminal does not', async (t) => {
  const { home, daemon } = await setup(t);
  const jobs = await startProcess(t, home);
  await startLongBackup(home, jobs);
  jobs.child.kill('SIGINT');
  await delay(50);
  t.ok(await jobs.call.jobs(), 'the server still answers');
  const exit = exitOf(jobs.child);
  jobs.child.kill('SIGTERM');
  t.equal((await exit).code, 0);
  // How often the lease was renewed depends on how far the backup got.
  const heard = (await daemon.supervisor('survival')).heard.filter((what) => what !== 'renew');
  t.same(heard, ['hold backing-up', 'release']);
  t.same(readdirSync(path.join(home.backups, 'survival')), []);
});

t.test('a kill at any moment of backups and restores loses nothing and leaves nothing behind', async (t) => {
  const { home, daemon } = await setup(t);
  const folder = home.instanceDirectory('survival');
  const world = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`world/r.${n}.mca`, randomBytes(500_000)]));
  fill(folder, { ...world, 'level.dat': 'one' });
  const one = inventory(folder);
  let jobs = await startProcess(t, home);
  const { jobId } = await jobs.call.startBackup(SURVIVAL);
  const { backupId } = await jobs.call.waitForJob(jobId, { timeoutMs: 0 });
  const supervisor = await daemon.supervisor('survival');
  for (let round = 0; round < 8; round++) {
    fill(folder, { 'level.dat': 'two', [`round-${round}`]: 'x' });
    const two = inventory(folder);
    const restores = round % 2 === 0;
    if (restores) await jobs.call.startRestore({ instanceId: 'survival', backupId: backupId! });
    else await jobs.call.startBackup(SURVIVAL);
    await delay(round * 40);
    await killProcess(jobs);
    await until('the folder is unlocked', () => !supervisor.held);
    jobs = await startProcess(t, home);

    const now = inventory(folder);
    if (!restores) t.same(now, two, 'a backup changes nothing');
    else
      t.ok(
        [one, two].some((state) => isDeepStrictEqual(state, now)),
        'either the old or the new folder',
      );
    const [newest] = await jobs.call.backups({ instanceId: 'survival' });
    const verification = await jobs.call.startVerify({ instanceId: 'survival', backupId: newest!.backupId });
    t.match(await jobs.call.waitForJob(verification.jobId, { timeoutMs: 0 }), { state: 'done' });
    const archives = readdirSync(path.join(home.backups, 'survival')).toSorted();
    const expected = (await jobs.call.backups({ instanceId: 'survival' })).flatMap(({ backupId: id }) => [
      `${id}.json`,
      `${id}.zip`,
    ]);
    t.same(archives, expected.toSorted());
    t.same(
      readdirSync(home.instances).filter((name) => name.endsWith('.new')),
      [],
      'no partly unpacked folder',
    );
  }
});
