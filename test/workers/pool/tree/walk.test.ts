import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { removeTree } from '../../../../shared/node/files/remove-tree.ts';
import { TreeCursor } from '../../../../shared/node/files/tree-cursor.ts';
import { Progress } from '../../../../workers/pool/progress.ts';
import { copy } from '../../../../workers/pool/tree/copy.ts';
import { createExclusion } from '../../../../workers/pool/tree/exclusion.ts';
import { walk } from '../../../../workers/pool/tree/walk.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { fill, nest, pack, unpack } from '../round-trip.ts';

const SKIP = process.platform !== 'linux' && 'only Linux has paths above PATH_MAX';

/** Recursion overflows the stack at this depth. */
const DEPTH = 15_000;

t.test(
  'of 15,000 nested folders, a backup has the upper ones and lists the rest; all are removed with few open descriptors',
  { skip: SKIP },
  async (t) => {
    const parent = temporaryFolder(t);
    const source = fill(path.join(parent, 'deep'), { 'z.txt': 'z' });
    nest(source, DEPTH, 'a');
    const result = await pack(source, path.join(parent, 'a.zip'));
    t.equal(result.fileCount, 1);
    t.match(result.omitted, [{ path: /^a\/a\/.*…$/, reason: 'path-too-long' }]);
    t.equal(result.leftOut.length, 1);

    const removing = removeTree(source);
    let most = 0;
    const counting = setInterval(() => {
      most = Math.max(most, readdirSync('/proc/self/fd').length);
    }, 1);
    t.teardown(() => clearInterval(counting));
    await removing;
    t.notOk(existsSync(source));
    t.ok(most < 100, `${most} descriptors were open`);
  },
);

t.test('paths that are longer than PATH_MAX are archived, restored and copied', { skip: SKIP }, async (t) => {
  const parent = temporaryFolder(t);
  const name = 'n'.repeat(250);
  const source = fill(path.join(parent, 'long'), { 'a.txt': 'a' });
  // 4,027 bytes within the folder; more than 4,096 together with the folder's own path.
  nest(source, 16, name);
  const archive = path.join(parent, 'a.zip');
  const last = `${Array.from({ length: 16 }, () => name).join('/')}/last.txt`;
  const packed = await pack(source, archive);
  t.match(packed, { fileCount: 2, omitted: [], leftOut: [] });
  const elsewhere = fill(path.join(parent, 'e'.repeat(200)), { 'x.txt': 'x' });
  t.match(await unpack(archive, path.join(elsewhere, 'back'), packed.sourceBytes), { fileCount: 2 });
  const copied = path.join(elsewhere, 'copy');
  t.match(await copy({ source, target: copied, progress: new Progress().memory }), { fileCount: 2, omitted: [] });
  for (const folder of [path.join(elsewhere, 'back'), copied]) {
    using cursor = new TreeCursor(folder);
    t.equal(readFileSync(cursor.placeOf(last), 'utf8'), 'last');
  }
  t.teardown(() => removeTree(parent));
});

t.test('a folder with the name of a lock file is listed, the lock files are not', async (t) => {
  const folder = temporaryFolder(t);
  fill(folder, { 'LOCK/region/r.0.0.mca': 'world', 'data.lck/x': 'data', 'db/LOCK': '', 'session.lock': '' });
  const { entries, leftOut } = walk(folder, createExclusion([]));
  t.same(
    entries.map(({ name }) => name),
    ['LOCK', 'LOCK/region', 'LOCK/region/r.0.0.mca', 'data.lck', 'data.lck/x', 'db'],
  );
  t.same(leftOut, []);
});
