import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import {
  type CommitOptions,
  closeStaged,
  commitStaged,
  createStaged,
  discardStaged,
} from '../../../../workers/files/staging/staged-files.ts';
import { mounted } from '../../../support/machine/mounted.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const staged = (root: string) => readdirSync(path.join(root, '.gamekeeper-files/staged'));

function world(t: Test) {
  const root = temporaryFolder(t);
  return {
    root,
    at: (name: string) => path.join(root, name),
    async put(text: string, options: CommitOptions) {
      const file = createStaged(root);
      writeFileSync(file.descriptor, text);
      await closeStaged(file);
      try {
        return await commitStaged(file, options);
      } finally {
        await discardStaged(file);
      }
    },
  };
}

t.test('a replaced file keeps its mode and owner; a new one gets those of its folder', async (t) => {
  const { root, at, put } = world(t);
  writeFileSync(at('kept'), 'old');
  chmodSync(at('kept'), 0o751);
  mkdirSync(at('sub'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chownSync(at('kept'), 1234, 5678);
    chownSync(at('sub'), 4321, 8765);
  }
  t.match(await put('new', { path: 'kept' }), { isNew: false, sizeBytes: 3 });
  t.equal(statSync(at('kept')).mode & 0o7777, 0o751);
  t.match(await put('new', { path: 'sub/fresh' }), { isNew: true });
  if (isRoot) {
    t.match(statSync(at('kept')), { uid: 1234, gid: 5678 });
    t.match(statSync(at('sub/fresh')), { uid: 4321, gid: 8765 });
  }
  t.same(staged(root), []);
});

t.test('conditions are checked against what is there now', async (t) => {
  const { at, put } = world(t);
  const first = await put('one', { path: 'file', isNew: true });
  await t.rejects(put('two', { path: 'file', isNew: true }), { code: 'file_exists' });
  const second = await put('two', { path: 'file', ifMatch: first.etag });
  t.not(second.etag, first.etag);
  await t.rejects(put('three', { path: 'file', ifMatch: first.etag }), { code: 'precondition_failed' });
  await t.rejects(put('three', { path: 'other', ifMatch: '*' }), { code: 'precondition_failed' }, 'nothing is there');
  writeFileSync(at('file'), 'by the game');
  await t.rejects(put('three', { path: 'file', ifMatch: second.etag }), { code: 'precondition_failed' });
  t.equal(readFileSync(at('file'), 'utf8'), 'by the game');
});

t.test('folders, links and devices are not replaced', async (t) => {
  const { at, put } = world(t);
  mkdirSync(at('folder'));
  symlinkSync('/etc/passwd', at('link'));
  await t.rejects(put('x', { path: 'folder' }), { code: 'file_exists' });
  await t.rejects(put('x', { path: 'link' }), { code: 'invalid_path' });
  await t.rejects(put('x', { path: 'link/x' }), { code: 'invalid_path' });
  await t.rejects(put('x', { path: 'no/x' }), { code: 'file_not_found' });
  await t.rejects(put('x', { path: '' }), { code: 'invalid_path' });
});

t.test('on another disk inside the folder the file is replaced all the same', async (t) => {
  const { root, at, put } = world(t);
  if (!mounted(t, at('disk'), '-t', 'tmpfs', 'tmpfs')) return;
  await put('one', { path: 'disk/file' });
  await put('two', { path: 'disk/file' });
  t.equal(readFileSync(at('disk/file'), 'utf8'), 'two');
  t.same(readdirSync(at('disk')), ['file'], 'nothing else is left there');
  t.same(staged(root), []);
});
