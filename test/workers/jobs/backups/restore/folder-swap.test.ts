import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { homeAt } from '../../../../../shared/node/files/home.ts';
import { replaceFolder } from '../../../../../workers/jobs/backups/restore/folder-swap.ts';
import { createPreviousFolders } from '../../../../../workers/jobs/backups/restore/previous-folders.ts';
import { createSwapJournals } from '../../../../../workers/jobs/backups/restore/swap-journal.ts';
import { type SwapPlace, swapPlace } from '../../../../../workers/jobs/backups/restore/swap-place.ts';
import { instanceConfig } from '../../../../support/jobs/fake-peers.ts';
import { startTestJobs, type TestJobs } from '../../../../support/jobs/test-jobs.ts';
import { mounted } from '../../../../support/machine/mounted.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { fill, inventory } from '../../../pool/round-trip.ts';

const MIB = 1024 * 1024;
const ID = { instanceId: 'survival' };

/** Makes a file or folder immutable even for root; returns false if that is not possible here. */
function immutable(t: Test, file: string): boolean {
  try {
    execFileSync('chattr', ['+i', file], { stdio: 'ignore' });
  } catch {
    t.comment('skipped: files cannot be made immutable here');
    return false;
  }
  t.teardown(() => execFileSync('chattr', ['-i', file]));
  return true;
}

async function backedUp(jobs: TestJobs, worldBytes = 100_000) {
  const folder = jobs.daemon.instances.get('survival')!.config.directory;
  fill(folder, { 'world/r.0.0.mca': randomBytes(worldBytes), 'level.dat': 'then' });
  const { backupId } = await jobs.done(jobs.call.startBackup({ ...ID, cloudReplicate: true, reason: 'manual' }));
  const then = inventory(folder);
  fill(folder, { 'level.dat': 'now', 'new/new.txt': 'now' });
  return { folder, key: { ...ID, backupId: backupId! }, then, now: inventory(folder) };
}

function useFolder(jobs: TestJobs, directory: string): void {
  jobs.daemon.instances.set('survival', {
    config: instanceConfig(jobs.home, 'survival', { directory, managed: false }),
    runtime: { phase: 'stopped' },
    socket: null,
  });
}

/** Asserts that the folder is unchanged and unlocked, without leftovers. */
async function assertUntouched(
  t: Test,
  jobs: TestJobs,
  { folder, now }: { folder: string; now: Record<string, string> },
) {
  t.same(inventory(folder), now, 'the folder is unchanged');
  const left = readdirSync(path.dirname(folder))
    .concat(readdirSync(folder))
    .filter((name) => name.startsWith('.gamekeeper'));
  t.same(left, [], 'no files are left over');
  t.notOk(existsSync(jobs.home.restoreMark('survival')), 'no journal is left');
  t.notOk((await jobs.daemon.supervisor('survival')).held, 'the folder is unlocked');
}

t.test('without space to unpack, nothing changes and the error says how much is missing', async (t) => {
  const disk = path.join(temporaryFolder(t), 'disk');
  if (!mounted(t, disk, '-t', 'tmpfs', '-o', 'size=10m', 'tmpfs')) return;
  const jobs = await startTestJobs(t);
  useFolder(jobs, path.join(disk, 'server'));
  const before = await backedUp(jobs, 6 * MIB);
  await t.rejects(jobs.done(jobs.call.startRestore(before.key)), {
    code: 'insufficient_storage',
    message: /needs up to 6.0 MiB, but only/,
  });
  await assertUntouched(t, jobs, before);
});

t.test('without space for the safety backup, the unpacked files are removed again', async (t) => {
  const disk = path.join(temporaryFolder(t), 'disk');
  if (!mounted(t, disk, '-t', 'tmpfs', '-o', 'size=3m', 'tmpfs')) return;
  const jobs = await startTestJobs(t);
  jobs.daemon.settings.backups = { concurrency: 1, exclude: [], directory: disk };
  const before = await backedUp(jobs, 2 * MIB);
  await t.rejects(jobs.done(jobs.call.startRestore(before.key)), {
    code: 'insufficient_storage',
    message: /^The backup needs/,
  });
  await assertUntouched(t, jobs, before);
});

t.test('a folder that cannot be renamed stays unchanged', async (t) => {
  const jobs = await startTestJobs(t);
  const before = await backedUp(jobs);
  if (!immutable(t, before.folder)) return;
  await t.rejects(jobs.done(jobs.call.startRestore(before.key)), {
    code: 'invalid_state',
    message: 'The folder of "survival" could not be replaced (EPERM). It is unchanged.',
  });
  await assertUntouched(t, jobs, before);
});

t.test('if the last of several renames fails, the earlier ones are undone', async (t) => {
  const jobs = await startTestJobs(t);
  jobs.daemon.settings.backups = { concurrency: 1, exclude: ['*.tile'] };
  const before = await backedUp(jobs);
  // Excluded from backups, so it is moved back separately, after the folder was replaced.
  fill(before.folder, { 'maps/a.tile': 'a', 'maps/b.tile': 'b' });
  if (!immutable(t, path.join(before.folder, 'maps/b.tile'))) return;
  const now = inventory(before.folder);
  await t.rejects(jobs.done(jobs.call.startRestore(before.key)), { message: /could not be replaced \(EPERM\)/ });
  await assertUntouched(t, jobs, { folder: before.folder, now });
});

t.test('a file system that is mounted inside the folder is not moved away', async (t) => {
  const jobs = await startTestJobs(t);
  const before = await backedUp(jobs);
  if (!mounted(t, path.join(before.folder, 'on another disk'), '-t', 'tmpfs', 'tmpfs')) return;
  const now = inventory(before.folder);
  await t.rejects(jobs.done(jobs.call.startRestore(before.key)), {
    code: 'invalid_state',
    message: /mounted at .*on another disk, inside/,
  });
  await assertUntouched(t, jobs, { ...before, now });
});

t.test('a mount point is restored entry by entry, and journal and leftovers are removed', async (t) => {
  const jobs = await startTestJobs(t);
  const folder = path.join(temporaryFolder(t), 'server');
  if (!mounted(t, folder, '-t', 'tmpfs', 'tmpfs')) return;
  useFolder(jobs, folder);
  const { key, then } = await backedUp(jobs);
  await jobs.done(jobs.call.startRestore(key));
  const { [Object.keys(inventory(folder)).find((name) => name.startsWith('.gamekeeper'))!]: _, ...rest } =
    inventory(folder);
  t.match(rest, then);
  const own = readdirSync(folder).filter((name) => name.startsWith('.gamekeeper'));
  t.equal(own.length, 1, 'the previous content is kept inside');
  t.equal(readFileSync(path.join(folder, own[0]!, 'previous/new/new.txt'), 'utf8'), 'now');
  const again = await jobs.done(jobs.call.startBackup({ ...ID, cloudReplicate: true, reason: 'manual' }));
  t.equal((await jobs.call.backup({ ...ID, backupId: again.backupId! })).fileCount, 2, 'it is not archived');
});

t.test('entry by entry, one failed rename undoes all the others', async (t) => {
  const jobs = await startTestJobs(t);
  const folder = path.join(temporaryFolder(t), 'server');
  mkdirSync(folder);
  if (!mounted(t, folder, '--bind', folder)) return;
  useFolder(jobs, folder);
  const before = await backedUp(jobs);
  fill(folder, { 'zzz.txt': 'comes last' });
  if (!immutable(t, path.join(folder, 'zzz.txt'))) return;
  const now = inventory(folder);
  await t.rejects(jobs.done(jobs.call.startRestore(before.key)), { message: /could not be replaced \(EPERM\)/ });
  await assertUntouched(t, jobs, { folder, now });
});

t.test('a parent folder without write permission is no obstacle', async (t) => {
  const parent = temporaryFolder(t);
  const folder = path.join(parent, 'server');
  mkdirSync(folder);
  // Root can write everywhere but on a read-only file system; the folder itself is mounted again, writable.
  if (!mounted(t, parent, '--bind', parent) || !mounted(t, folder, '--bind', folder)) return;
  execFileSync('mount', ['-o', 'remount,bind,ro', parent]);
  const jobs = await startTestJobs(t);
  useFolder(jobs, folder);
  const { key, then } = await backedUp(jobs);
  await jobs.done(jobs.call.startRestore(key));
  t.match(inventory(folder), then);
});

t.test('a backups folder without write permission is named, at any level', async (t) => {
  const disk = path.join(temporaryFolder(t), 'disk');
  if (!mounted(t, disk, '-t', 'tmpfs', 'tmpfs')) return;
  const jobs = await startTestJobs(t);
  await backedUp(jobs);
  jobs.daemon.settings.backups = { concurrency: 1, exclude: [], directory: disk };
  for (const instanceFolder of [false, true]) {
    if (instanceFolder) mkdirSync(path.join(disk, 'survival'));
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    const backup = jobs.done(jobs.call.startBackup({ ...ID, cloudReplicate: true, reason: 'manual' }));
    await t.rejects(backup, { code: 'invalid_state', message: 'The backups folder cannot be written to.' });
    execFileSync('mount', ['-o', 'remount,rw', disk]);
  }
});

/** A replacement of a folder by another one, with real journals and a database of its own. */
async function replacement(t: Test, { whole }: { whole: boolean }) {
  const home = homeAt(temporaryFolder(t));
  const folder = fill(home.instanceDirectory('survival'), { 'level.dat': 'now', 'world/r.mca': 'now' });
  mkdirSync(path.dirname(home.restoreMark('any')), { recursive: true });
  const found = await swapPlace(folder, 'abc');
  const inside = path.join(folder, '.gamekeeper-restore-abc');
  const place: SwapPlace = whole
    ? found
    : { ...found, whole, scratch: inside, staging: `${inside}/new`, previous: `${inside}/previous` };
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE backup_previous_folder (path TEXT PRIMARY KEY, instance_id TEXT, replaced_at INTEGER)');
  const { signal } = new AbortController();
  const log = pino({ enabled: false });
  const watchInstances = () => {
    throw new Error('nothing is watched');
  };
  return {
    folder,
    database,
    options: {
      journals: createSwapJournals(home),
      previousFolders: createPreviousFolders({ database, watchInstances, signal, log }),
    },
    order: {
      instanceId: 'survival',
      place,
      async fill() {
        fill(place.staging, { 'level.dat': 'then' });
        return { leftOut: [] };
      },
    },
  };
}

for (const whole of [true, false])
  t.test(`a database that is full changes nothing${whole ? '' : ', entry by entry'}`, async (t) => {
    const { folder, database, order, options } = await replacement(t, { whole });
    const before = inventory(folder);
    const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
    database.exec(`PRAGMA max_page_count = ${pages}`);
    const filler = database.prepare('INSERT INTO backup_previous_folder VALUES (?, ?, 0)');
    t.throws(() => {
      for (let row = 0; ; row++) filler.run(`/former/${row}`, 'other');
    }, /full/);
    await t.rejects(replaceFolder(order, options), { message: /full/ });
    t.same(inventory(folder), before);
    t.same(readdirSync(path.dirname(folder)), ['survival'], 'nothing is left over');
    t.same(await options.journals.all(), [], 'the server may start');
  });

t.test('the first error is thrown although undoing fails as well', async (t) => {
  const { order, options } = await replacement(t, { whole: true });
  const journals = { ...options.journals, remove: () => Promise.reject(new Error('the second')) };
  const fill = () => Promise.reject(new Error('the first'));
  await t.rejects(replaceFolder({ ...order, fill }, { ...options, journals }), { message: 'the first' });
  t.equal((await options.journals.all()).length, 1, 'the next start tries again');
});
