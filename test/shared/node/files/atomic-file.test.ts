import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { removeUnfinishedWrites, writeFileAtomically } from '../../../../shared/node/files/atomic-file.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

t.test('a file is replaced completely and privately, and leaves nothing beside it', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'a.json');
  await writeFile(file, 'old');
  await writeFileAtomically(file, 'new');
  t.equal(await readFile(file, 'utf8'), 'new');
  t.equal((await stat(file)).mode & 0o777, 0o600);
  t.same(await readdir(folder), ['a.json']);
});

t.test('a failure leaves only the old file', async (t) => {
  const folder = temporaryFolder(t);
  const target = path.join(folder, 'taken');
  await mkdir(path.join(target, 'x'), { recursive: true });
  await t.rejects(writeFileAtomically(target, 'new'), 'a folder cannot be replaced by a file');
  t.same(await readdir(folder), ['taken']);
});

t.test('what killed processes left is removed, and nothing else', async (t) => {
  const folder = temporaryFolder(t);
  for (const name of ['a.json.0123456789ab.tmp', 'a.json', 'mine.tmp']) await writeFile(path.join(folder, name), '');
  await removeUnfinishedWrites(folder);
  t.same((await readdir(folder)).sort(), ['a.json', 'mine.tmp']);
});
