import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { closeStaged, createStaged } from '../../../../workers/files/staging/staged-files.ts';
import { removeLeftovers } from '../../../../workers/files/staging/under-construction.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const DAY_SECONDS = 24 * 60 * 60;

t.test('what former processes have not finished is removed, and what this one makes stays', async (t) => {
  const root = temporaryFolder(t);
  await removeLeftovers(root, Date.now());
  t.notOk(existsSync(path.join(root, '.gamekeeper-files')), 'nothing is made where nothing is');
  const own = createStaged(root);
  await closeStaged(own);
  mkdirSync(path.join(root, '.gamekeeper-files/staged/12345678-former/world'), { recursive: true });
  await removeLeftovers(root, Date.now());
  t.same(readdirSync(path.join(root, '.gamekeeper-files/staged')), [path.basename(own.own)]);
});

t.test('what jobs unpack is removed when no job can be at work any more', async (t) => {
  const root = temporaryFolder(t);
  const unpacked = path.join(root, '.gamekeeper-files/unpacked');
  for (const name of ['old', 'new']) mkdirSync(path.join(unpacked, name), { recursive: true });
  const now = Date.now();
  utimesSync(path.join(unpacked, 'old'), now / 1000 - 2 * DAY_SECONDS, now / 1000 - 2 * DAY_SECONDS);
  await removeLeftovers(root, now);
  t.same(readdirSync(unpacked), ['new']);
});
