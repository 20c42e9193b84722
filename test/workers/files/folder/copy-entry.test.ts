import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { copyEntry } from '../../../../workers/files/folder/copy-entry.ts';
import { mounted } from '../../../support/machine/mounted.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';

const NEVER = new AbortController().signal;
const MIB = 1024 * 1024;

function world(t: Test, root = temporaryFolder(t)) {
  const at = (name: string) => path.join(root, name);
  const staged = () => (existsSync(at('.gamekeeper-files/staged')) ? readdirSync(at('.gamekeeper-files/staged')) : []);
  mkdirSync(at('world/region/deep'), { recursive: true });
  writeFileSync(at('world/level.dat'), 'level');
  writeFileSync(at('world/region/deep/r.mca'), Buffer.alloc(3 * MIB, 7));
  return { root, at, staged };
}

t.test('copies content, links, modes and times, of read-only folders, too', async (t) => {
  const { root, at, staged } = world(t);
  symlinkSync('level.dat', at('world/link'));
  execFileSync('mkfifo', [at('world/pipe')]);
  writeFileSync(Buffer.concat([Buffer.from(at('world/')), Buffer.from([0x63, 0xe9])]), 'latin');
  chmodSync(at('world/level.dat'), 0o640);
  utimesSync(at('world/region'), 1_000, 2_000);
  chmodSync(at('world/region'), 0o500);
  await copyEntry(root, { from: 'world', to: 'copy' }, NEVER);
  t.equal(readFileSync(at('copy/level.dat'), 'utf8'), 'level');
  t.equal(statSync(at('copy/level.dat')).mode & 0o7777, 0o640);
  t.ok(readFileSync(at('copy/region/deep/r.mca')).equals(readFileSync(at('world/region/deep/r.mca'))));
  t.equal(readlinkSync(at('copy/link')), 'level.dat');
  t.notOk(existsSync(at('copy/pipe')));
  t.equal(statSync(at('copy/region')).mode & 0o7777, 0o500);
  t.equal(statSync(at('copy/region')).mtimeMs, 2_000_000);
  t.ok(readdirSync(at('copy'), { encoding: 'buffer' }).some((name) => name.equals(Buffer.from([0x63, 0xe9]))));
  t.same(staged(), []);
  await copyEntry(root, { from: 'world/link', to: 'link' }, NEVER);
  t.ok(lstatSync(at('link')).isSymbolicLink());
});

t.test('never replaces or mixes with what is there', async (t) => {
  const { root, at, staged } = world(t);
  mkdirSync(at('copy'));
  writeFileSync(at('copy/mine'), 'mine');
  await t.rejects(copyEntry(root, { from: 'world', to: 'copy' }, NEVER), { code: 'file_exists' });
  await t.rejects(copyEntry(root, { from: 'world', to: 'world/inside' }, NEVER), { code: 'invalid_path' });
  await t.rejects(copyEntry(root, { from: 'gone', to: 'new' }, NEVER), { code: 'file_not_found' });
  t.same(readdirSync(at('copy')), ['mine']);
  t.same(staged(), []);
});

t.test('what appears at the target while a copy is made stays, and so does the failed copy not', async (t) => {
  const { root, at, staged } = world(t);
  const copying = copyEntry(root, { from: 'world', to: 'copy' }, NEVER);
  mkdirSync(at('copy'));
  writeFileSync(at('copy/mine'), 'mine');
  await t.rejects(copying, { code: 'file_exists' });
  t.same(readdirSync(at('copy')), ['mine']);
  t.same(staged(), []);
});

t.test('a copy that is given up in the middle of a large file ends at once and leaves nothing', async (t) => {
  const { root, at, staged } = world(t);
  const size = 16 * 1024 * MIB;
  truncateSync(at('world/level.dat'), size);
  const leaving = new AbortController();
  const copying = copyEntry(root, { from: 'world/level.dat', to: 'copy' }, leaving.signal);
  const copied = () => staged().map((name) => statSync(at(`.gamekeeper-files/staged/${name}`)).size)[0] ?? 0;
  await until('some of it is copied', () => copied() > 0);
  leaving.abort();
  await t.rejects(copying, { name: 'AbortError' });
  t.same(staged(), []);
  t.notOk(existsSync(at('copy')));
});

t.test('a copy leaves the game space to save', async (t) => {
  const disk = path.join(temporaryFolder(t), 'disk');
  mkdirSync(disk);
  if (!mounted(t, disk, '-t', 'tmpfs', '-o', 'size=300m', 'tmpfs')) return;
  const { root, at, staged } = world(t, disk);
  writeFileSync(at('world/level.dat'), Buffer.alloc(30 * MIB));
  await t.rejects(copyEntry(root, { from: 'world', to: 'copy' }, NEVER), { code: 'insufficient_storage' });
  t.notOk(existsSync(at('copy')));
  t.same(staged(), []);
});

t.test('copies to another disk that is mounted in the folder', async (t) => {
  const { root, at } = world(t);
  mkdirSync(at('disk'));
  if (!mounted(t, at('disk'), '-t', 'tmpfs', '-o', 'size=300m', 'tmpfs')) return;
  await copyEntry(root, { from: 'world', to: 'disk/copy' }, NEVER);
  t.ok(readFileSync(at('disk/copy/region/deep/r.mca')).equals(readFileSync(at('world/region/deep/r.mca'))));
  t.same(readdirSync(at('disk')), ['copy']);
});
