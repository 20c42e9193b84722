import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import t, { type Test } from 'tap';
import { unpackTar } from '../../../../workers/pool/extract/unpack-tar.ts';
import { Progress } from '../../../../workers/pool/progress.ts';
import { handmadeTar, tarOf } from '../../../support/jobs/archives.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

async function unpacking(
  t: Test,
  content: Buffer,
  { compression = 'gzip', strip = 0 }: { compression?: 'gzip' | 'xz'; strip?: number } = {},
) {
  const folder = await realpath(temporaryFolder(t));
  const archive = path.join(folder, 'archive');
  writeFileSync(archive, content);
  const target = path.join(folder, 'target');
  const progress = new Progress();
  const done = unpackTar({ archive, compression, target, strip, progress: progress.memory });
  return { folder, target, progress, done };
}

const FILES = { 'game/bin/server': '#!/bin/sh\n', 'game/data/big': 'x'.repeat(3_000_000), 'game/empty': '' };

for (const compression of ['gzip', 'xz'] as const)
  t.test(`a real tar archive with ${compression} is unpacked`, async (t) => {
    const content = tarOf(t, FILES, compression);
    const { target, progress, done } = await unpacking(t, content, { compression });
    t.same(await done, { fileCount: 3 });
    for (const [name, text] of Object.entries(FILES)) t.equal(readFileSync(path.join(target, name), 'utf8'), text);
    t.equal(lstatSync(path.join(target, 'game/bin/server')).mode & 0o777, 0o755);
    t.equal(lstatSync(path.join(target, 'game/empty')).mode & 0o777, 0o644);
    t.equal(progress.done, content.length);
  });

t.test(
  'links that stay in the archive are created, by where they are after folders at the top are left out',
  async (t) => {
    const content = await handmadeTar([
      { name: 'game/lib/libx.so.1', content: 'x' },
      { name: 'game/lib/libx.so', type: 'symlink', linkname: 'libx.so.1' },
      { name: 'game/bin/lib', type: 'symlink', linkname: '../lib/./libx.so' },
    ]);
    const { target, done } = await unpacking(t, content, { strip: 1 });
    await done;
    t.equal(readFileSync(path.join(target, 'game/bin/lib'), 'utf8'), 'x');
    t.equal(readlinkSync(path.join(target, 'game/lib/libx.so')), 'libx.so.1');
  },
);

const HOSTILE = {
  'a name that leads out': [{ name: '../evil', content: 'x' }],
  'a name that leads out further down': [{ name: 'a/../../evil', content: 'x' }],
  'an absolute name': [{ name: '/tmp/evil', content: 'x' }],
  'an absolute link': [{ name: 'a', type: 'symlink', linkname: '/etc' }],
  'a link that leads out': [{ name: 'a/b', type: 'symlink', linkname: '../../etc' }],
  'a link upwards through another link': [
    { name: 'p/q/top', type: 'symlink', linkname: '../..' },
    { name: 'evil', type: 'symlink', linkname: 'p/q/top/../../etc' },
  ],
  'a file behind a link': [
    { name: 'a', type: 'symlink', linkname: '.' },
    { name: 'a/evil', content: 'x' },
  ],
  'a hard link': [
    { name: 'a', content: 'x' },
    { name: 'b', type: 'link', linkname: '../../../../etc/passwd' },
  ],
  'a device': [{ name: 'a', type: 'character-device', devmajor: 1, devminor: 3 }],
  'a pipe': [{ name: 'a', type: 'fifo' }],
  'a name twice': [
    { name: 'a', content: 'x' },
    { name: 'a', content: 'y' },
  ],
  'a folder that is a file': [
    { name: 'a', content: 'x' },
    { name: 'a/b', content: 'y' },
  ],
} as const;

for (const [what, entries] of Object.entries(HOSTILE))
  t.test(`an archive with ${what} is refused, and nothing appears beside it`, async (t) => {
    const { folder, done } = await unpacking(t, await handmadeTar(entries));
    await t.rejects(done, { code: 'backup_damaged' });
    t.same(readdirSync(folder).sort(), ['archive', 'target']);
    t.notOk(existsSync('/tmp/evil'));
  });

t.test('a link that only stays inside with the folders at the top is refused if they are left out', async (t) => {
  const content = await handmadeTar([{ name: 'game/a', type: 'symlink', linkname: '../other' }]);
  const { done } = await unpacking(t, content, { strip: 1 });
  await t.rejects(done, { code: 'backup_damaged', message: /"game\/a" leads out of the archive/ });
});

t.test('permissions beyond those of a program are not taken over', async (t) => {
  const content = await handmadeTar([{ name: 'a', mode: 0o6777, content: 'x' }]);
  const { target, done } = await unpacking(t, content);
  await done;
  t.equal(lstatSync(path.join(target, 'a')).mode & 0o7777, 0o755);
});

for (const compression of ['gzip', 'xz'] as const)
  t.test(`a ${compression} archive that ends too early, or is something else, is refused`, async (t) => {
    const whole = tarOf(t, FILES, compression);
    for (const content of [
      whole.subarray(0, whole.length - 40),
      whole.subarray(0, 30),
      Buffer.from('not an archive'),
    ]) {
      const { done } = await unpacking(t, content, { compression });
      await t.rejects(done, { code: 'backup_damaged' });
    }
  });

t.test('without xz, the error says which package has it', async (t) => {
  const before = process.env.PATH;
  const content = tarOf(t, FILES, 'xz');
  process.env.PATH = '/nowhere';
  t.teardown(() => {
    process.env.PATH = before;
  });
  const { done } = await unpacking(t, content, { compression: 'xz' });
  await t.rejects(done, { code: 'installation_failed', resolution: /xz-utils/ });
});
