import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { restoreVersion } from '../../../../workers/files/history/restore-version.ts';
import { expireVersions, listVersions, openVersion } from '../../../../workers/files/history/versions.ts';
import { closeStaged, commitStaged, createStaged } from '../../../../workers/files/staging/staged-files.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const DAY = 24 * 60 * 60 * 1_000;

function world(t: Test) {
  const root = temporaryFolder(t);
  const at = (name: string) => path.join(root, name);
  return {
    root,
    at,
    async put(name: string, content: string | Buffer) {
      const file = createStaged(root);
      writeFileSync(file.descriptor, content);
      await closeStaged(file);
      await commitStaged(file, { path: name });
    },
    read(name: string, version: string) {
      using file = openVersion(root, name, version);
      return readFileSync(file.descriptor, 'utf8');
    },
  };
}

t.test('each save keeps what it replaces, and an undo can be undone', async (t) => {
  const { root, at, put, read } = world(t);
  await put('shop.yml', 'one');
  t.same(listVersions(root, 'shop.yml'), []);
  chmodSync(at('shop.yml'), 0o640);
  await put('shop.yml', 'two!');
  await put('shop.yml', 'three');
  const [second, first] = listVersions(root, 'shop.yml');
  t.match([second, first], [{ sizeBytes: 4 }, { sizeBytes: 3 }]);
  t.equal(read('shop.yml', first!.version), 'one');
  t.match(await restoreVersion(root, 'shop.yml', first!.version), { path: 'shop.yml', sizeBytes: 3, isNew: false });
  t.equal(readFileSync(at('shop.yml'), 'utf8'), 'one');
  t.equal(readFileSync(at('shop.yml')).length, 3);
  const [undone] = listVersions(root, 'shop.yml');
  t.equal(read('shop.yml', undone!.version), 'three');
  writeFileSync(at('shop.yml'), 'the game writes in place');
  t.equal(read('shop.yml', first!.version), 'one', 'a version is not what is at the path');
  await t.rejects(restoreVersion(root, 'shop.yml', 'mfx2k1a0-00000000'), { code: 'file_not_found' });
  await t.rejects(restoreVersion(root, 'shop.yml', '../../x'), { code: 'file_not_found' });
  t.throws(() => openVersion(root, '../x', first!.version), { code: 'invalid_path' });
});

t.test('20 versions of a file are kept, and none of a large one', async (t) => {
  const { root, put, read } = world(t);
  for (let n = 0; n < 25; n++) await put('log.txt', String(n));
  const versions = listVersions(root, 'log.txt');
  t.equal(versions.length, 20);
  t.ok(versions.every(({ version }) => Number(read('log.txt', version)) >= 4));
  await put('large', Buffer.alloc(17 * 1024 * 1024));
  await put('large', 'small');
  t.same(listVersions(root, 'large'), []);
});

t.test('versions expire after 30 days', async (t) => {
  const { root, put } = world(t);
  await put('shop.yml', 'one');
  await put('shop.yml', 'two');
  await expireVersions(root, Date.now() + 29 * DAY);
  t.equal(listVersions(root, 'shop.yml').length, 1);
  await expireVersions(root, Date.now() + 31 * DAY);
  t.same(listVersions(root, 'shop.yml'), []);
});

t.test('a game that puts links where versions are kept gets nothing out of the folder', async (t) => {
  const { root, at, put } = world(t);
  const outside = temporaryFolder(t);
  await put('shop.yml', 'one');
  mkdirSync(at('.gamekeeper-files'), { recursive: true });
  symlinkSync(outside, at('.gamekeeper-files/history'));
  await put('shop.yml', 'two');
  t.equal(readFileSync(at('shop.yml'), 'utf8'), 'two', 'the save goes on without history');
  t.same(readdirSync(outside), []);
  t.same(listVersions(root, 'shop.yml'), []);
});

t.test('a version that the game replaced by a link is not followed', async (t) => {
  const { root, at, put } = world(t);
  await put('shop.yml', 'one');
  await put('shop.yml', 'two');
  const [{ version } = { version: '' }] = listVersions(root, 'shop.yml');
  const [folder = ''] = readdirSync(at('.gamekeeper-files/history'));
  const forged = version.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  symlinkSync('/etc/passwd', at(`.gamekeeper-files/history/${folder}/${forged}`));
  t.equal(listVersions(root, 'shop.yml').length, 1);
  t.throws(() => openVersion(root, 'shop.yml', forged), { code: 'invalid_path' });
  await t.rejects(restoreVersion(root, 'shop.yml', forged), { code: 'invalid_path' });
});
