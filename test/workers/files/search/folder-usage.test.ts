import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { folderUsage } from '../../../../workers/files/search/folder-usage.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const NEVER = new AbortController().signal;

t.test('adds up what is in a folder, the largest first', async (t) => {
  const root = temporaryFolder(t);
  const at = (name: string) => path.join(root, name);
  mkdirSync(at('world/region'), { recursive: true });
  mkdirSync(at('empty'));
  writeFileSync(at('world/region/r.mca'), Buffer.alloc(5_000));
  writeFileSync(at('world/level.dat'), Buffer.alloc(100));
  writeFileSync(at('server.jar'), Buffer.alloc(1_000));
  symlinkSync('/usr', at('link'));
  mkdirSync(at('.gamekeeper-files/trash/x'), { recursive: true });
  writeFileSync(at('.gamekeeper-files/trash/x/content'), Buffer.alloc(70));
  t.same(await folderUsage(root, '', NEVER), {
    sizeBytes: 6_100,
    files: 3,
    entries: [
      { name: 'world', kind: 'folder', sizeBytes: 5_100, files: 2 },
      { name: 'server.jar', kind: 'file', sizeBytes: 1_000, files: 1 },
      ...['empty', 'link'].map((name) => ({
        name,
        kind: name === 'empty' ? 'folder' : 'link',
        sizeBytes: 0,
        files: 0,
      })),
    ],
    keptBytes: 70,
  });
  t.match(await folderUsage(root, 'world', NEVER), {
    sizeBytes: 5_100,
    entries: [{ name: 'region' }, { name: 'level.dat' }],
  });
  t.equal((await folderUsage(root, '', NEVER, { entries: 1, milliseconds: 1e9 })).stoppedBy, 'size');
  await t.rejects(folderUsage(root, 'link', NEVER), { code: 'invalid_path' });
});
