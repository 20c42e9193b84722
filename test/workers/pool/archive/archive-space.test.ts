import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { archive } from '../../../../workers/pool/archive/archive.ts';
import { Progress } from '../../../../workers/pool/progress.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { fill, pack, unpack } from '../round-trip.ts';

const MIB = 1024 * 1024;

/** Mounts a small disk; returns `undefined` if the test may not mount one. */
function smallDisk(t: Test, folder: string, mebibytes: number): string | undefined {
  const disk = path.join(folder, 'disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    t.comment('skipped: this user may not mount a small disk');
    return undefined;
  }
  t.teardown(() => execFileSync('umount', ['-l', disk]));
  return disk;
}

t.test('an archive that would not fit is refused before it starts, with the space it needs', async (t) => {
  const folder = temporaryFolder(t);
  const disk = smallDisk(t, folder, 4);
  if (!disk) return;
  const source = fill(path.join(folder, 'source'), { 'a.mca': randomBytes(5 * MIB) });
  await t.rejects(pack(source, path.join(disk, 'a.zip')), {
    code: 'insufficient_storage',
    message: 'The backup needs up to 5.0 MiB, but only 4.0 MiB are free.',
  });
});

t.test('a disk that fills up during the archiving fails the task with its own error', async (t) => {
  const folder = temporaryFolder(t);
  const disk = smallDisk(t, folder, 80);
  if (!disk) return;
  const source = fill(path.join(folder, 'source'), {
    'a.bin': randomBytes(40 * MIB),
    'b.mca': randomBytes(15 * MIB),
    'c.mca': randomBytes(15 * MIB),
  });
  const progress = new Progress();
  const packing = archive({ source, target: path.join(disk, 'a.zip'), exclude: [], progress: progress.memory });
  packing.catch(() => undefined);
  while (progress.done === 0) await turn();
  writeFileSync(path.join(disk, 'ballast'), Buffer.alloc(30 * MIB));
  await t.rejects(packing, {
    code: 'insufficient_storage',
    message: 'The disk became full while the backup was written.',
  });
});

t.test('a backup that would not fit unpacked is refused before anything is written', async (t) => {
  const folder = temporaryFolder(t);
  const disk = smallDisk(t, folder, 4);
  if (!disk) return;
  const source = fill(path.join(folder, 'source'), { 'a.mca': randomBytes(5 * MIB) });
  const { sourceBytes } = await pack(source, path.join(folder, 'a.zip'));
  await t.rejects(unpack(path.join(folder, 'a.zip'), path.join(disk, 'back'), sourceBytes), {
    code: 'insufficient_storage',
    message: 'The restored folder needs up to 5.0 MiB, but only 4.0 MiB are free.',
  });
});
