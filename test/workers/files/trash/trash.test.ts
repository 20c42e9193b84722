import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import {
  emptyTrash,
  expireTrash,
  listTrash,
  moveToTrash,
  restoreFromTrash,
} from '../../../../workers/files/trash/trash.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const DAY = 24 * 60 * 60 * 1_000;
const NOW = Date.UTC(2026, 10, 23);

t.test('what is deleted comes back where it was, in folders that are made again', async (t) => {
  const root = temporaryFolder(t);
  mkdirSync(path.join(root, 'plugins/shop'), { recursive: true });
  writeFileSync(path.join(root, 'plugins/shop/config.yml'), 'x');
  const trashId = moveToTrash(root, 'plugins/shop', { by: 'anna', now: NOW });
  rmSync(path.join(root, 'plugins'), { recursive: true });
  t.match(await listTrash(root, NOW), [
    {
      trashId,
      path: 'plugins/shop',
      kind: 'folder',
      deletedBy: 'anna',
      expiresAt: new Date(NOW + 7 * DAY).toISOString(),
    },
  ]);
  t.equal(await restoreFromTrash(root, trashId), 'plugins/shop');
  t.equal(readFileSync(path.join(root, 'plugins/shop/config.yml'), 'utf8'), 'x');
  t.same(await listTrash(root, NOW), []);
  await t.rejects(restoreFromTrash(root, trashId), { code: 'file_not_found' });
});

t.test('nothing is put back over something else', async (t) => {
  const root = temporaryFolder(t);
  writeFileSync(path.join(root, 'file'), 'old');
  const trashId = moveToTrash(root, 'file', { by: 'anna', now: NOW });
  writeFileSync(path.join(root, 'file'), 'new');
  await t.rejects(restoreFromTrash(root, trashId), { code: 'file_exists' });
  t.equal(readFileSync(path.join(root, 'file'), 'utf8'), 'new');
  t.equal((await listTrash(root, NOW)).length, 1, 'it stays in the trash');
});

t.test('the trash is emptied by hand, and by itself after seven days', async (t) => {
  const root = temporaryFolder(t);
  const ids = ['a', 'b', 'c'].map((name, index) => {
    writeFileSync(path.join(root, name), name);
    return moveToTrash(root, name, { by: 'anna', now: NOW + index * DAY });
  });
  t.same(
    (await listTrash(root, NOW + 7 * DAY)).map((entry) => entry.path),
    ['c', 'b'],
  );
  await expireTrash(root, NOW + 7 * DAY);
  t.same(readdirSync(path.join(root, '.gamekeeper-files/trash')).sort(), ids.slice(1).sort());
  await emptyTrash(root, ids[1]);
  t.same(
    (await listTrash(root, NOW)).map((entry) => entry.path),
    ['c'],
  );
  await t.rejects(emptyTrash(root, ids[1]), { code: 'file_not_found' });
  await t.rejects(emptyTrash(root, '../..'), { code: 'file_not_found' });
  await emptyTrash(root);
  t.same(readdirSync(path.join(root, '.gamekeeper-files/trash')), []);
});

t.test('a record that the game has changed leads nowhere', async (t) => {
  const root = path.join(temporaryFolder(t), 'server');
  mkdirSync(root);
  writeFileSync(path.join(root, 'file'), 'x');
  const trashId = moveToTrash(root, 'file', { by: 'anna', now: NOW });
  const record = path.join(root, '.gamekeeper-files/trash', trashId, 'about.json');
  writeFileSync(record, JSON.stringify({ path: '../outside', deletedAt: new Date(NOW).toISOString() }));
  await t.rejects(restoreFromTrash(root, trashId), { code: 'file_not_found' });
  t.notOk(existsSync(path.join(root, '../outside')));
});

t.test('what cannot be read is not taken for expired', async (t) => {
  const root = temporaryFolder(t);
  writeFileSync(path.join(root, 'file'), 'x');
  const trashId = moveToTrash(root, 'file', { by: 'anna', now: NOW });
  const own = path.join(root, '.gamekeeper-files/trash', trashId);
  writeFileSync(path.join(own, 'about.json'), 'broken');
  t.same(await listTrash(root, NOW), []);
  t.ok(existsSync(path.join(own, 'content')));
});
