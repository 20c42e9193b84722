import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { renameToNew } from '../../../../shared/node/files/rename-to-new.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

t.test('nothing is replaced', async (t) => {
  const folder = temporaryFolder(t);
  const at = (name: string) => path.join(folder, name);
  writeFileSync(at('new'), 'new');
  writeFileSync(at('old'), 'old');
  symlinkSync('new', at('link'));
  mkdirSync(at('maps'));
  mkdirSync(at('full'));
  writeFileSync(at('full/map'), 'a');
  for (const from of ['new', 'link', 'maps'])
    for (const to of ['old', 'full'])
      t.throws(() => renameToNew(at(from), at(to)), { code: 'EEXIST' }, `${from} ${to}`);
  t.equal(readFileSync(at('old'), 'utf8'), 'old');
  t.same(readdirSync(at('full')), ['map']);
  t.same(readdirSync(folder).sort(), ['full', 'link', 'maps', 'new', 'old']);
});

t.test('files, links and folders are renamed', async (t) => {
  const folder = temporaryFolder(t);
  const at = (name: string) => path.join(folder, name);
  writeFileSync(at('file'), 'content');
  symlinkSync('nowhere', at('link'));
  mkdirSync(at('maps'));
  for (const name of ['file', 'link', 'maps']) renameToNew(at(name), at(`${name}2`));
  t.same(readdirSync(folder).sort(), ['file2', 'link2', 'maps2']);
  t.equal(readFileSync(at('file2'), 'utf8'), 'content');
  t.equal(readlinkSync(at('link2')), 'nowhere');
});
