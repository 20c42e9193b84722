import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createStore } from '../../../../../workers/jobs/backups/stores/create-store.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { sampleObject } from './sample-object.ts';
import { checkStore, transfer } from './store-contract.ts';
import { filesBelow, flipByte, smallDisk } from './store-folder.ts';

const MiB = 1024 * 1024;
const { signal } = new AbortController();

function openFolder(directory: string, home: string) {
  return createStore(
    { name: 'usb', kind: 'folder', directory },
    { backups: path.join(home, 'backups'), instances: path.join(home, 'instances') },
  );
}

t.test('a folder works as a store', async (t: Test) => {
  const home = temporaryFolder(t);
  const directory = temporaryFolder(t);
  const store = await openFolder(directory, home);
  await store.test(signal);
  checkStore(t, {
    open: () => openFolder(directory, home),
    damage: (key) => flipByte(path.join(directory, key)),
    list: () => filesBelow(directory),
    resumes: true,
  });
});

t.test('reading an upload back follows the download limit', async (t) => {
  const folder = temporaryFolder(t);
  const object = await sampleObject(folder, MiB);
  const store = await openFolder(temporaryFolder(t), folder);
  await store.test(signal);
  await store.put(object, transfer());
  // The object exists already: it is read back, and nothing is uploaded.
  await store.put(object, transfer({ signal: AbortSignal.timeout(120_000), bytesPerSecond: 10_000 }));
  const startedAt = performance.now();
  await store.put(object, transfer({ checkBytesPerSecond: 4 * MiB }));
  t.ok(performance.now() - startedAt > 150);
});

t.test('an unmounted disk is an error, and nothing is written below its mount point', async (t) => {
  const disk = smallDisk(t, 20);
  if (!disk) return;
  const folder = temporaryFolder(t);
  const object = await sampleObject(folder, MiB);
  const store = await openFolder(disk.directory, folder);
  await store.put(object, transfer());
  t.ok(
    (await readdir(disk.directory)).includes('.gamekeeper-store'),
    'a folder on another disk is set up automatically',
  );
  disk.unmount();
  const attempts: (() => Promise<unknown>)[] = [
    () => store.put(object, transfer()),
    () => store.stat(object.key, signal),
    () => store.get(object.key, path.join(folder, 'fetched'), transfer()),
    () => store.verify(object, transfer()),
    () => store.remove(object.key, signal),
  ];
  for (const attempt of attempts)
    await t.rejects(attempt(), { code: 'store_unavailable', message: /not mounted/, resolution: /usb\/test/ });
  t.same(await readdir(disk.directory), []);
  disk.mount();
  await store.put(object, transfer());
});

t.test('the store test sets up a folder on the same disk', async (t) => {
  const folder = temporaryFolder(t);
  const directory = path.join(folder, 'synced');
  const store = await openFolder(directory, folder);
  await t.rejects(store.test(signal), { code: 'store_unavailable', message: /is not there/ });
  await mkdir(directory);
  const object = await sampleObject(folder, MiB);
  await t.rejects(store.put(object, transfer()), { code: 'store_unavailable', message: /not set up yet/ });
  t.same(await readdir(directory), []);
  await store.test(signal);
  await store.put(object, transfer());
  await rm(path.join(directory, '.gamekeeper-store'));
  await t.rejects(store.stat(object.key, signal), { code: 'store_unavailable' });
});

t.test('a folder inside the backups or the servers is refused', async (t) => {
  const home = temporaryFolder(t);
  await mkdir(path.join(home, 'backups', 'copies'), { recursive: true });
  await mkdir(path.join(home, 'instances', 'survival'), { recursive: true });
  await symlink(path.join(home, 'backups'), path.join(home, 'link'));
  for (const inside of ['backups', 'backups/copies', 'instances/survival', 'link']) {
    const store = await openFolder(path.join(home, inside), home);
    await t.rejects(store.test(signal), { code: 'store_refused', message: /is inside/ }, inside);
  }
  t.same(await readdir(path.join(home, 'backups')), ['copies']);
});

t.test('a full disk is reported before the upload if its space is known, else during it', async (t) => {
  const disk = smallDisk(t, 20);
  if (!disk) return;
  const folder = temporaryFolder(t);
  const store = await openFolder(disk.directory, folder);
  const large = await sampleObject(folder, 30 * MiB);
  await t.rejects(store.put(large, transfer()), { code: 'insufficient_storage', message: /21 MB free.*31 MB more/ });
  t.same(await filesBelow(disk.directory), []);

  const fits = await sampleObject(folder, 15 * MiB);
  const meanwhile = transfer({ bytesPerSecond: 20 * MiB });
  let written = false;
  const filling = {
    ...meanwhile,
    onProgress() {
      if (!written) void writeFile(path.join(disk.directory, 'other'), Buffer.alloc(10 * MiB));
      written = true;
    },
  };
  await t.rejects(store.put(fits, filling), { code: 'insufficient_storage', message: /is full/ });
  t.equal(await store.stat(fits.key, signal), null);
  await rm(path.join(disk.directory, 'other'));
  await store.put(fits, transfer());
  t.equal(await store.verify(fits, transfer()), true);
});

t.test('missing space for a download is reported', async (t) => {
  const disk = smallDisk(t, 4);
  if (!disk) return;
  const directory = temporaryFolder(t);
  const store = await openFolder(directory, temporaryFolder(t));
  await store.test(signal);
  const object = await sampleObject(temporaryFolder(t), 6 * MiB);
  await store.put(object, transfer());
  const to = path.join(disk.directory, 'fetched.zip');
  await t.rejects(store.get(object.key, to, transfer()), { code: 'insufficient_storage' });
});
