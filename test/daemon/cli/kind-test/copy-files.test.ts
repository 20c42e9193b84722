import { mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { copyFiles } from '../../../../daemon/cli/kind-test/copy-files.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

function someServer(t: Test) {
  const folder = temporaryFolder(t);
  const source = path.join(folder, 'server');
  mkdirSync(path.join(source, 'data'), { recursive: true });
  writeFileSync(path.join(source, 'data/level'), 'mine');
  return { folder, source, target: path.join(folder, 'copy') };
}

t.test('links within the folder lead to the same place within the copy', async (t) => {
  const { folder, source, target } = someServer(t);
  symlinkSync('data', path.join(source, 'world'));
  symlinkSync('later', path.join(source, 'log'));
  symlinkSync('server', path.join(folder, 'link'));
  await copyFiles(path.join(folder, 'link'), target);
  t.equal(readlinkSync(path.join(target, 'world')), 'data');
  writeFileSync(path.join(target, 'world/level'), 'of the test');
  t.equal(readFileSync(path.join(source, 'data/level'), 'utf8'), 'mine');
});

t.test('links that lead out of the folder are refused by name', async (t) => {
  const links = (source: string) => [
    path.join(source, 'data'),
    '../../elsewhere',
    '/no/such/folder',
    'up/..', // through another link
  ];
  for (const index of links('').keys()) {
    const { source, target } = someServer(t);
    symlinkSync('.', path.join(source, 'up'));
    symlinkSync(links(source)[index]!, path.join(source, 'world'));
    await t.rejects(copyFiles(source, target), { message: `world is a link that leads out of ${source}` });
  }
});
