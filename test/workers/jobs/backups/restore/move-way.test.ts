import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { doMoves, planMoves, undoMoves } from '../../../../../workers/jobs/backups/restore/moves.ts';
import { startTestJobs } from '../../../../support/jobs/test-jobs.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { fill, inventory } from '../../../pool/round-trip.ts';

const ID = { instanceId: 'survival' };

t.test('a restore moves nothing through a link that it has restored', async (t) => {
  const jobs = await startTestJobs(t);
  jobs.daemon.settings.backups = { concurrency: 1, exclude: ['plugins/map/**'] };
  const folder = jobs.daemon.instances.get('survival')!.config.directory;
  const outside = temporaryFolder(t);
  fill(folder, { 'world/level.dat': 'then' });
  symlinkSync(outside, path.join(folder, 'plugins'));
  const { backupId } = await jobs.done(jobs.call.startBackup({ ...ID, cloudReplicate: false, reason: 'manual' }));
  rmSync(path.join(folder, 'plugins'));
  fill(folder, { 'plugins/map/tiles/0.png': 'tile', 'world/level.dat': 'now' });
  const now = inventory(folder);

  await t.rejects(jobs.done(jobs.call.startRestore({ ...ID, backupId: backupId! })), {
    code: 'invalid_state',
    message: '"map" is in no backup and cannot be kept: the backup has a link or a file in place of a folder above it.',
  });
  t.same(readdirSync(outside), [], 'nothing was moved out of the folder');
  t.same(inventory(folder), now, 'everything is as it was');
  t.same(readdirSync(jobs.home.instances), ['survival'], 'without leftovers');
  t.notOk(existsSync(jobs.home.restoreMark('survival')));
});

for (const whole of [true, false]) {
  t.test(
    `a link that takes a folder's place during the swap is not followed (${whole ? 'whole' : 'entry by entry'})`,
    async (t) => {
      const parent = temporaryFolder(t);
      const outside = fill(path.join(parent, 'outside'), { 'a/b/kept.txt': 'outside' });
      const folder = fill(path.join(parent, 'server'), { 'a/b/kept.txt': 'kept', 'c.txt': 'old' });
      const scratch = path.join(whole ? parent : folder, '.gamekeeper-restore-1');
      const place = {
        folder,
        whole,
        scratch,
        staging: path.join(scratch, 'new'),
        previous: path.join(scratch, 'previous'),
      };
      fill(place.staging, { 'c.txt': 'new', 'a/new.txt': 'new' });
      if (whole) mkdirSync(scratch, { recursive: true });
      const moves = await planMoves(place, ['a/b/kept.txt']);
      const [back] = moves.splice(moves.findIndex(({ kind }) => kind === 'back'));
      await doMoves(moves);
      renameSync(path.join(folder, 'a'), path.join(folder, 'aside'));
      symlinkSync(path.join(outside, 'a'), path.join(folder, 'a'));
      await t.rejects(doMoves([back!]), { code: 'invalid_state' });
      t.same(readFileSync(path.join(outside, 'a/b/kept.txt'), 'utf8'), 'outside');
      rmSync(path.join(folder, 'a'));
      renameSync(path.join(folder, 'aside'), path.join(folder, 'a'));
      await doMoves([...moves, back!]);
      t.equal(readFileSync(path.join(folder, 'a/b/kept.txt'), 'utf8'), 'kept');
      await undoMoves([...moves, back!]);
      t.equal(readFileSync(path.join(folder, 'c.txt'), 'utf8'), 'old');
      t.equal(readFileSync(path.join(folder, 'a/b/kept.txt'), 'utf8'), 'kept');
    },
  );
}

t.test('owners, groups and permissions come back, so a server of another user can still write', async (t) => {
  if (process.getuid?.() !== 0) return t.comment('left out: only root can give files away');
  const jobs = await startTestJobs(t);
  jobs.daemon.settings.backups = { concurrency: 1, exclude: ['cache/deep/*.tmp'] };
  const folder = jobs.daemon.instances.get('survival')!.config.directory;
  fill(folder, { 'world/level.dat': 'then', 'world/empty/': '', 'plugins/large.bin': Buffer.alloc(17 * 1024 * 1024) });
  symlinkSync('world', path.join(folder, 'link'));
  const { chownSync, chmodSync, lchownSync } = await import('node:fs');
  const names = ['', 'world', 'world/level.dat', 'world/empty', 'plugins/large.bin'];
  for (const name of names) chownSync(path.join(folder, name), 1234, 5678);
  lchownSync(path.join(folder, 'link'), 1234, 5679);
  chmodSync(path.join(folder, 'world'), 0o2770);
  const owners = () =>
    [...names, 'link', 'plugins'].map((name) => {
      const { uid, gid, mode } = lstatSync(path.join(folder, name));
      return `${name} ${uid}:${gid} ${mode.toString(8)}`;
    });
  const then = owners();
  const { backupId } = await jobs.done(jobs.call.startBackup({ ...ID, cloudReplicate: false, reason: 'manual' }));
  fill(folder, { 'cache/deep/a.tmp': 'x' });
  chownSync(path.join(folder, 'cache'), 4321, 4321);
  chmodSync(path.join(folder, 'cache'), 0o750);
  await jobs.done(jobs.call.startRestore({ ...ID, backupId: backupId! }));
  t.same(owners(), then);
  const { uid, gid, mode } = lstatSync(path.join(folder, 'cache'));
  t.same([uid, gid, mode & 0o777], [4321, 4321, 0o750], 'a folder that no backup has is created again as it was');
});
