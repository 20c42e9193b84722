import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { buildStamp, fingerprint, isBuilt } from '../../packaging/freshness.mjs';

function checkout(t: Test): string {
  return t.testdir({
    daemon: { 'main.ts': 'a', cli: { 'main.ts': 'b' } },
    shared: { 'a.ts': 'c' },
    'package.json': '{}',
  });
}

function built(t: Test): string {
  const root = checkout(t);
  mkdirSync(join(root, 'dist'));
  writeFileSync(join(root, buildStamp), fingerprint(root));
  return root;
}

t.test('without a build it is not built', async (t) => {
  t.equal(isBuilt(checkout(t)), false);
});

t.test('unchanged sources stay built', async (t) => {
  t.equal(isBuilt(built(t)), true);
});

t.test('a changed, new or removed source needs a build', async (t) => {
  const changed = built(t);
  writeFileSync(join(changed, 'shared/a.ts'), 'other');
  t.equal(isBuilt(changed), false, 'a file changed');

  const touched = built(t);
  utimesSync(join(touched, 'daemon/cli/main.ts'), 1, 1);
  t.equal(isBuilt(touched), false, 'replaced by an older file of the same size');

  const more = built(t);
  writeFileSync(join(more, 'daemon/cli/new.ts'), '');
  t.equal(isBuilt(more), false, 'a file was added');

  const fewer = built(t);
  rmSync(join(fewer, 'daemon/main.ts'));
  t.equal(isBuilt(fewer), false, 'a file was removed');
});
