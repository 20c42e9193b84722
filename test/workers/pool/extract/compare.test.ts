import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { compare } from '../../../../workers/pool/extract/compare.ts';
import { Progress } from '../../../../workers/pool/progress.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { fill, pack, unpack } from '../round-trip.ts';

/** An archive, and the folder it was unpacked to. */
async function unpacked(t: Test) {
  const root = temporaryFolder(t);
  const source = fill(path.join(root, 'source'), { 'world/level.dat': 'level', 'world/empty/': '', 'none.txt': '' });
  symlinkSync('world', path.join(source, 'link'));
  const archive = path.join(root, 'archive.zip');
  await pack(source, archive);
  const folder = path.join(root, 'unpacked');
  await unpack(archive, folder);
  const progress = new Progress();
  const look = () => compare({ archive, folder, sourceBytes: 1e6, progress: progress.memory });
  return { folder, look, progress };
}

t.test('an unchanged folder passes', async (t) => {
  const { look, progress } = await unpacked(t);
  t.same(await look(), { fileCount: 2 });
  t.equal(progress.done, progress.total);
});

const CHANGES: Record<string, [string, (folder: string) => void]> = {
  'another content of the same length': [
    'world/level.dat',
    (at) => writeFileSync(path.join(at, 'world/level.dat'), 'LEVEL'),
  ],
  'a truncated file': ['world/level.dat', (at) => truncateSync(path.join(at, 'world/level.dat'), 2)],
  'a file that is missing': ['none.txt', (at) => rmSync(path.join(at, 'none.txt'))],
  'a folder that is missing': ['world/empty', (at) => rmSync(path.join(at, 'world/empty'), { recursive: true })],
  'a link that leads elsewhere': [
    'link',
    (at) => {
      rmSync(path.join(at, 'link'));
      symlinkSync('/etc', path.join(at, 'link'));
    },
  ],
  'a folder in place of a link': [
    'link',
    (at) => {
      rmSync(path.join(at, 'link'));
      mkdirSync(path.join(at, 'link'));
    },
  ],
  'a link in place of a file': [
    'none.txt',
    (at) => {
      rmSync(path.join(at, 'none.txt'));
      symlinkSync('/dev/null', path.join(at, 'none.txt'));
    },
  ],
};

for (const [what, [name, change]] of Object.entries(CHANGES))
  t.test(`${what} is detected and named`, async (t) => {
    const { folder, look } = await unpacked(t);
    change(folder);
    await t.rejects(look(), { code: 'backup_damaged', message: new RegExp(`"${name}" differs from the archive`) });
  });
