import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { archive } from '../../../../workers/pool/archive/archive.ts';
import { Progress } from '../../../../workers/pool/progress.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { fill, inventory, pack, unpack } from '../round-trip.ts';

const MIB = 1024 * 1024;
const text = (bytes: number) =>
  'The quick brown fox jumps over the lazy dog. 0123456789\n'.repeat(bytes / 56 + 1).slice(0, bytes);

/** Creates one of everything that a server's folder may contain. */
function server(folder: string): string {
  fill(folder, {
    'world/region/r.0.0.mca': randomBytes(3 * MIB),
    'world/region/r.0.-1.mca': randomBytes(17 * MIB),
    'world/level.dat': randomBytes(2000),
    'world/data/': '',
    'logs/latest.log': text(5 * MIB),
    'logs/huge.log': text(18 * MIB),
    'empty.txt': '',
    'usercache.json': '[]',
    'wörld/Спавн/出生点 🏝️.json': '{"name":"ünïcode"}',
    'C:odd.txt': 'looks like a drive',
    'aux.json': 'a device elsewhere',
    'World.txt': 'upper',
    'world.txt': 'lower',
    'start.sh': '#!/bin/sh\n',
  });
  chmodSync(path.join(folder, 'start.sh'), 0o750);
  chmodSync(path.join(folder, 'usercache.json'), 0o600);
  chmodSync(path.join(folder, 'world', 'data'), 0o700);
  symlinkSync('world/level.dat', path.join(folder, 'latest'));
  symlinkSync('/nowhere/at all', path.join(folder, 'dangling'));
  symlinkSync('..', path.join(folder, 'world', 'up'));
  utimesSync(path.join(folder, 'usercache.json'), 1_700_000_000, 1_700_000_000);
  return folder;
}

t.test('an archive restores the same content, permissions, empty folders and links', async (t) => {
  const folder = temporaryFolder(t);
  const source = server(path.join(folder, 'source'));
  const archive = path.join(folder, 'a.zip');
  const result = await pack(source, archive);
  t.equal(result.fileCount, 13);
  t.same(result.changedFiles, []);
  t.same(result.leftOut, []);
  const { fileCount } = await unpack(archive, path.join(folder, 'back'), result.sourceBytes);
  t.equal(fileCount, 13);
  t.same(inventory(path.join(folder, 'back')), inventory(source));
});

t.test('unzip and sha256sum agree with the result', async (t) => {
  if (!requireProgram(t, 'unzip', 'unzip') || !requireProgram(t, 'sha256sum', 'coreutils')) return;
  const folder = temporaryFolder(t);
  const source = server(path.join(folder, 'source'));
  const archive = path.join(folder, 'a.zip');
  const { sha256, sizeBytes } = await pack(source, archive);
  t.match(execFileSync('unzip', ['-t', archive], { encoding: 'utf8' }), /No errors detected/);
  t.equal(execFileSync('sha256sum', [archive], { encoding: 'utf8' }).split(' ')[0], sha256);
  t.equal(Number(execFileSync('stat', ['-c', '%s', archive], { encoding: 'utf8' })), sizeBytes);
  execFileSync('unzip', ['-q', archive, '-d', path.join(folder, 'theirs')]);
  t.same(inventory(path.join(folder, 'theirs')), inventory(source), 'unzip unpacks the same');
});

t.test('compressed formats are stored, the rest is deflated', async (t) => {
  if (!requireProgram(t, 'unzip', 'unzip')) return;
  const folder = temporaryFolder(t);
  const source = fill(path.join(folder, 'source'), {
    'r.0.0.mca': text(1 * MIB),
    'mod.jar': text(1000),
    'noise.bin': randomBytes(100_000),
    'large-noise.bin': randomBytes(17 * MIB),
    'plain.bin': text(100_000),
    'large.txt': text(17 * MIB),
    'small.json': '{"a":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}',
    'tiny.txt': 'a',
  });
  const archive = path.join(folder, 'a.zip');
  await pack(source, archive);
  const listing = execFileSync('unzip', ['-v', archive], { encoding: 'utf8' });
  const method = (name: string) =>
    /(Stored|Defl:\w)\s/.exec(listing.split('\n').find((line) => line.endsWith(` ${name}`)) ?? '')?.[1];
  for (const name of ['r.0.0.mca', 'mod.jar', 'noise.bin', 'large-noise.bin', 'tiny.txt'])
    t.equal(method(name), 'Stored', name);
  for (const name of ['plain.bin', 'large.txt', 'small.json']) t.match(method(name), /^Defl/, name);
});

t.test('lock files and excluded files are left out, and only the latter are listed', async (t) => {
  const folder = temporaryFolder(t);
  const source = fill(path.join(folder, 'source'), {
    'world/session.lock': 'x',
    'world/db/LOCK': '',
    'world/level.dat': 'x',
    'logs/latest.log': 'x',
    'logs/old/a.log': 'x',
    'plugins/map/tiles/0.png': 'x',
    'plugins/map/.cache/1': 'x',
    'plugins/map/config.yml': 'x',
    'a.tmp': 'x',
    'deep/er/b.tmp': 'x',
    'deep/yarn.lock': 'x',
    '.gamekeeper-restore-1/previous/world/level.dat': 'x',
  });
  const archive = path.join(folder, 'a.zip');
  const { leftOut } = await pack(source, archive, ['*.tmp', '/logs/', 'plugins/map/tiles/**', 'plugins/map/.cache/**']);
  t.same(leftOut, ['a.tmp', 'deep/er/b.tmp', 'logs', 'plugins/map/.cache', 'plugins/map/tiles']);
  await unpack(archive, path.join(folder, 'back'));
  const files = Object.entries(inventory(path.join(folder, 'back'))).filter(([, what]) => what.startsWith('file'));
  t.same(
    Object.fromEntries(files),
    Object.fromEntries(
      files.filter(([name]) => ['world/level.dat', 'plugins/map/config.yml', 'deep/yarn.lock'].includes(name)),
    ),
  );
  t.equal(files.length, 3);
});

t.test('sockets and pipes are skipped without blocking', async (t) => {
  const folder = temporaryFolder(t);
  const source = fill(path.join(folder, 'source'), { 'a.txt': 'a' });
  execFileSync('mkfifo', [path.join(source, 'pipe')]);
  const result = await pack(source, path.join(folder, 'a.zip'));
  t.equal(result.fileCount, 1);
  t.same(result.changedFiles, []);
});

t.test('an empty folder gives a valid archive', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, 'source'));
  const archive = path.join(folder, 'a.zip');
  t.match(await pack(path.join(folder, 'source'), archive), { fileCount: 0, sourceBytes: 0, changedFiles: [] });
  t.same(await unpack(archive, path.join(folder, 'back'), 0), { fileCount: 0 });
});

t.test('names with a backslash, which ZIP cannot contain, are listed as left out', async (t) => {
  const folder = temporaryFolder(t);
  const source = fill(path.join(folder, 'source'), { 'a\\b.txt': 'x', 'c.txt': 'x' });
  const { leftOut, fileCount } = await pack(source, path.join(folder, 'a.zip'));
  t.same(leftOut, ['a\\b.txt']);
  t.equal(fileCount, 1);
});

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
