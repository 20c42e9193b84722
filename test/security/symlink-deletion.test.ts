/**
 * Deleting a server's folder deletes nothing else: neither the targets of links in it, nor a link that replaces a folder while that is being
 * emptied (CVE-2023-25168 of Wings: files of the host were deleted through a link).
 */
import { existsSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** So many that the test notices the deletion long before it ends. */
const FILES = 5_000;

const gamekeeper = await startGamekeeper(t);
const instances = path.join(gamekeeper.home, 'instances');
const folder = path.join(instances, 'demo');
const names = Array.from({ length: FILES }, (_, n) => `r.${n}.mca`);

/** Name of a folder that is being deleted in the background. */
const deletedFolder = () => readdirSync(instances).find((name) => name.startsWith('.gamekeeper-deleted-'));

function filled(place: string): string {
  mkdirSync(place, { recursive: true });
  for (const name of names) writeFileSync(path.join(place, name), '');
  return place;
}

t.test('links in the folder are not followed', async (t) => {
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const outside = temporaryFolder(t);
  mkdirSync(path.join(outside, 'photos'));
  writeFileSync(path.join(outside, 'photos/one.jpg'), 'one');
  mkdirSync(path.join(folder, 'world/region'), { recursive: true });
  symlinkSync(outside, path.join(folder, 'all'));
  symlinkSync(`${outside}/photos/`, path.join(folder, 'world/region/photos'));
  symlinkSync(path.join(outside, 'photos/one.jpg'), path.join(folder, 'one.jpg'));
  symlinkSync('.', path.join(folder, 'itself'));
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe, 0x80])]), 'a name that is no text');

  t.equal((await gamekeeper.api('DELETE', '/instances/demo?files=delete')).status, 204);
  t.notOk(existsSync(folder));
  t.same(readdirSync(path.join(outside, 'photos')), ['one.jpg']);
});

t.test('a link that replaces a folder during the deletion is not followed', async (t) => {
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const outside = filled(path.join(temporaryFolder(t), 'world'));
  const world = filled(path.join(folder, 'world'));
  const before = statSync(world).mtimeMs;

  const deletion = gamekeeper.api('DELETE', '/instances/demo?files=delete');
  while (deletedFolder() === undefined) await new Promise(setImmediate);
  const emptied = path.join(instances, deletedFolder()!, 'world');
  while (statSync(emptied).mtimeMs === before) await new Promise(setImmediate);
  renameSync(emptied, `${emptied}-aside`);
  symlinkSync(outside, emptied);
  const began = readdirSync(`${emptied}-aside`).length;
  t.ok(began > 0, `${began} files were not deleted yet`);

  t.equal((await deletion).status, 204);
  t.notOk(existsSync(folder), 'the folder is gone at once');
  await until('the background deletion is done', () => deletedFolder() === undefined);
  t.equal(readdirSync(outside).length, FILES, 'the files behind the link are kept');
});

t.test('a folder that Gamekeeper did not create is not deleted', async (t) => {
  const directory = temporaryFolder(t);
  await gamekeeper.api('POST', '/instances', { name: 'Own', software: 'demo', directory });
  t.match(await gamekeeper.api('DELETE', '/instances/own?files=delete'), { status: 400 });
  t.equal((await gamekeeper.api('DELETE', '/instances/own')).status, 204);
  t.ok(existsSync(directory));
});
