import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createDeletedFolders } from '../../../daemon/instances/deleted-folders.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { until } from '../../support/machine/until.ts';

function homeWith(t: Test, ...ids: string[]) {
  const home = homeAt(temporaryFolder(t));
  for (const id of ids) {
    mkdirSync(path.join(home.instanceDirectory(id), 'world'), { recursive: true });
    writeFileSync(path.join(home.instanceDirectory(id), 'world/level.dat'), 'x');
  }
  const folders = createDeletedFolders({ home, log: createLogger({ name: 'test', level: 'silent' }) });
  const left = () => readdirSync(home.instances).sort();
  const emptied = () => until('no deletion is pending', () => left().every((name) => !name.startsWith('.')));
  return { home, folders, left, emptied };
}

/** A registry of these instances. */
function registryOf(...ids: string[]) {
  const known = new Set(ids);
  return { known, has: (id: string) => known.has(id), remove: (id: string) => void known.delete(id) };
}

t.test('a deleted folder is moved aside at once and removed in the background', async (t) => {
  const { folders, left, emptied } = homeWith(t, 'one', 'other');
  await folders.take('one');
  t.notOk(left().includes('one'));
  await emptied();
  t.same(left(), ['other']);
});

t.test('a missing folder is no failure', async (t) => {
  const { folders, left } = homeWith(t, 'other');
  await folders.take('one');
  t.same(left(), ['other']);
});

t.test('a link in place of the folder is removed, but not its target', async (t) => {
  const { home, folders, left, emptied } = homeWith(t, 'other');
  symlinkSync(home.instanceDirectory('other'), home.instanceDirectory('one'));
  await folders.take('one');
  await emptied();
  t.same(left(), ['other']);
  t.same(readdirSync(home.instanceDirectory('other')), ['world']);
});

t.test('the next start finishes an interrupted deletion', async (t) => {
  const aside = '.gamekeeper-deleted-0123456789ab-';
  const { folders, left } = homeWith(t, `${aside}half`, `${aside}again`, 'again', '.gamekeeper-restore-0.new');
  const registry = registryOf('half', 'again');
  await folders.resume(registry);
  await until('only the other folders are left', () => left().length === 2);
  t.same(left(), ['.gamekeeper-restore-0.new', 'again']);
  t.same([...registry.known], ['again'], 'a new instance with the same id stays');
});
