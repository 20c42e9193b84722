import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { nameOf } from '../../../../../shared/node/files/file-name.ts';
import { doMoves, type Move, planMoves, undoMoves } from '../../../../../workers/jobs/backups/restore/moves.ts';
import { startTestJobs } from '../../../../support/jobs/test-jobs.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { until } from '../../../../support/machine/until.ts';
import { fill } from '../../../pool/round-trip.ts';

const ID = { instanceId: 'survival' };
/** macOS and Windows only have names in Unicode. */
const SKIP = process.platform !== 'linux' && 'every name is text here';

/** A path whose last part is Latin-1, as old archives and FTP programs leave it. */
function latin1(folder: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);
}

t.test('a restore keeps files whose names are not UTF-8, and every backup lists them', { skip: SKIP }, async (t) => {
  const jobs = await startTestJobs(t);
  const folder = fill(jobs.daemon.instances.get('survival')!.config.directory, { 'world/level.dat': 'then' });
  const file = latin1(path.join(folder, 'world'), 'caf\xe9.txt');
  writeFileSync(file, 'coffee');
  const done = await jobs.done(jobs.call.startBackup({ ...ID, cloudReplicate: false, reason: 'manual' }));
  const backup = { ...ID, backupId: done.backupId! };
  t.match(await jobs.call.backup(backup), { changedFiles: ['world/caf%E9.txt'], skippedCount: 1 });

  const below = latin1(folder, '\xfcber');
  mkdirSync(below);
  writeFileSync(Buffer.concat([below, Buffer.from('/x')]), 'x');
  symlinkSync(Buffer.from('caf\xe9.txt', 'latin1'), path.join(folder, 'link'));
  writeFileSync(path.join(folder, 'world/level.dat'), 'now');
  await jobs.done(jobs.call.startRestore(backup));
  t.equal(readFileSync(path.join(folder, 'world/level.dat'), 'utf8'), 'then');
  const [safety] = (await jobs.call.backups({ instanceId: 'survival' })).filter(
    ({ reason }) => reason === 'before-restore',
  );
  t.same(safety!.changedFiles, ['world/caf%E9.txt', '%FCber']);

  jobs.daemon.change('survival', { phase: 'running', startedAt: Date.now() + 1000 });
  await until('the previous folder is removed', () => readdirSync(jobs.home.instances).length === 1);
  t.equal(readFileSync(file, 'utf8'), 'coffee');
  t.equal(readFileSync(Buffer.concat([below, Buffer.from('/x')]), 'utf8'), 'x');
  t.same(readlinkSync(path.join(folder, 'link'), 'buffer'), Buffer.from('caf\xe9.txt', 'latin1'));
});

t.test('a swap entry by entry carries such names in both directions', { skip: SKIP }, async (t) => {
  const folder = fill(path.join(temporaryFolder(t), 'server'), { a: 'old' });
  const scratch = path.join(folder, '.gamekeeper-restore-1');
  const staging = path.join(scratch, 'new');
  fill(staging, { a: 'new' });
  const file = latin1(folder, 'caf\xe9.txt');
  writeFileSync(file, 'coffee');
  const place = { folder, whole: false, scratch, staging, previous: path.join(scratch, 'previous') };
  const planned = await planMoves(place, [nameOf(Buffer.from('caf\xe9.txt', 'latin1'))]);
  const moves = JSON.parse(JSON.stringify(planned)) as Move[];
  await doMoves(moves);
  t.equal(readFileSync(file, 'utf8'), 'coffee');
  t.equal(readFileSync(path.join(folder, 'a'), 'utf8'), 'new');
  await undoMoves(moves);
  t.ok(existsSync(file));
  t.equal(readFileSync(path.join(folder, 'a'), 'utf8'), 'old');
});
