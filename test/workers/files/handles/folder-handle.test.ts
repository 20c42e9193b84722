import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { openFolderHandle } from '../../../../workers/files/handles/folder-handle.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const BYTES = Buffer.from([0x61, 0xff]);

function folderOf(t: Test, count: number): string {
  const folder = temporaryFolder(t);
  for (let index = 0; index < count; index++) writeFileSync(path.join(folder, `file ${index}`), '');
  return folder;
}

const descriptors = () => readdirSync('/proc/self/fd').length;

t.test('a folder is listed in pieces, without own names, and with names that are not UTF-8', async (t) => {
  const folder = folderOf(t, 250);
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), BYTES]), '');
  writeFileSync(path.join(folder, '.gamekeeper-files'), '');
  const before = descriptors();
  const handle = await openFolderHandle(folder, '');
  const names: string[] = [];
  for (let piece = await handle.next(100); piece.length > 0; piece = await handle.next(100)) {
    t.ok(piece.length <= 100);
    names.push(...piece.map(({ name }) => name));
  }
  t.equal(new Set(names).size, 251);
  t.equal(names.filter((name) => !name.isWellFormed()).length, 1);
  t.same(await handle.next(100), [], 'at the end there is nothing more');
  await handle.close();
  t.equal(descriptors(), before);
});

t.test('names are read only when they are asked for: open folders keep none in memory', async (t) => {
  const folder = folderOf(t, 1);
  const handle = await openFolderHandle(folder, '');
  writeFileSync(path.join(folder, 'later'), '');
  t.same((await handle.next(100)).map(({ name }) => name).sort(), ['file 0', 'later']);
  await handle.close();
});

t.test('closing while entries are being read waits for them', async (t) => {
  const handle = await openFolderHandle(folderOf(t, 300), '');
  const reading = handle.next(300);
  await handle.close();
  t.equal((await reading).length, 300);
});
