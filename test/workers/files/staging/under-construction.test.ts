import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { underConstruction } from '../../../../shared/node/files/under-construction.ts';
import { closeStaged, createStaged } from '../../../../workers/files/staging/staged-files.ts';
import { removeLeftovers } from '../../../../workers/files/staging/under-construction.ts';
import { mounted } from '../../../support/machine/mounted.ts';
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

t.test('what a killed process has left beside its target on another disk is removed', async (t) => {
  const root = temporaryFolder(t);
  const disk = path.join(root, 'disk');
  if (!mounted(t, disk, '-t', 'tmpfs', 'tmpfs')) return;
  for (const own of ['.gamekeeper-files/staged/12345678-former', '.gamekeeper-files/unpacked/former']) {
    const { path: place } = underConstruction(root, { own, folder: 'disk' });
    mkdirSync(path.join(root, place, 'world'), { recursive: true });
  }
  writeFileSync(path.join(disk, 'world.dat'), 'world');
  // The game may write notes of its own.
  mkdirSync(path.join(disk, '.gamekeeper-staged-link'));
  symlinkSync(temporaryFolder(t), path.join(root, 'out'));
  for (const [name, note] of Object.entries({ a: 'disk/world.dat', b: '../x', c: 'out/.gamekeeper-staged-1', d: 7 }))
    writeFileSync(path.join(root, `.gamekeeper-files/staged/${name}.elsewhere`), JSON.stringify(note));
  await removeLeftovers(root, Date.now() + 2 * DAY_SECONDS * 1_000);
  t.same(readdirSync(disk).sort(), ['.gamekeeper-staged-link', 'world.dat']);
  t.same(readdirSync(path.join(root, '.gamekeeper-files/staged')), []);
  t.same(readdirSync(path.join(root, '.gamekeeper-files/unpacked')), []);
});
