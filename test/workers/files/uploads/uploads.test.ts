import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { ServerFolders } from '../../../../workers/files/folder/server-folders.ts';
import { createUploadPlaces } from '../../../../workers/files/uploads/upload-places.ts';
import { createUploads, expireUploads } from '../../../../workers/files/uploads/uploads.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const HOUR = 60 * 60 * 1_000;

function world(t: Test) {
  const root = temporaryFolder(t);
  const imports = path.join(temporaryFolder(t), 'imports');
  const kept = (folder: string) => readdirSync(path.join(folder, '.gamekeeper-files/uploads'));
  let now = Date.parse('2026-01-01T00:00:00Z');
  const folders: ServerFolders = {
    all: async () => ['demo'],
    toRead: async () => root,
    toChange: async () => root,
    secrets: async () => [],
  };
  return {
    root,
    uploads: createUploads({ places: createUploadPlaces(folders, { imports }), now: () => now }),
    kept: () => kept(root),
    keptArchives: () => kept(imports),
    partOf: (uploadId: string) => path.join(imports, '.gamekeeper-files/uploads', `${uploadId}.part`),
    async later(hours: number) {
      now += hours * HOUR;
      for (const folder of [root, imports]) await expireUploads(folder, now);
    },
  };
}

t.test('an unfinished upload is kept for 24 hours', async (t) => {
  const { uploads, kept, later } = world(t);
  const { uploadId } = await uploads.createUpload({ instanceId: 'demo', path: 'big.zip', sizeBytes: 10 });
  const at = { instanceId: 'demo', uploadId };
  await later(23.9);
  t.match(await uploads.upload(at), { path: 'big.zip', sizeBytes: 10, offset: 0 });
  await later(0.2);
  await t.rejects(uploads.upload(at), { code: 'file_not_found' });
  t.same(kept(), []);
});

t.test('an expired upload does not count among the unfinished ones, and an empty file is there at once', async (t) => {
  const { root, uploads, later } = world(t);
  const begin = (name: string) => uploads.createUpload({ instanceId: 'demo', path: name, sizeBytes: 1 });
  for (let count = 0; count < 100; count++) await begin(`${count}`);
  await t.rejects(begin('one more'), { code: 'rate_limited' });
  await later(25);
  await begin('one more');
  await uploads.createUpload({ instanceId: 'demo', path: 'empty', sizeBytes: 0 });
  t.equal(readFileSync(path.join(root, 'empty'), 'utf8'), '');
  t.notOk(existsSync(path.join(root, 'one more')));
});

const ARCHIVE = { account: 'anna', path: 'survival.zip', sizeBytes: 4 };

t.test('an archive for an import stays where it arrived, until a day after its last use', async (t) => {
  const { uploads, keptArchives, partOf, later } = world(t);
  const { uploadId } = await uploads.createUpload(ARCHIVE);
  const at = { account: 'anna', uploadId };
  await t.rejects(uploads.uploadedArchive(at), { code: 'invalid_state', message: /^0 of 4 bytes/ });
  // The process was killed between the last byte and the record of it.
  writeFileSync(partOf(uploadId), 'PK..');
  await t.rejects(uploads.uploadedArchive(at), { code: 'invalid_state' });
  t.match(await uploads.upload(at), { sizeBytes: 4, offset: 4 });
  t.same(await uploads.uploadedArchive(at), { file: partOf(uploadId), name: 'survival.zip' });
  await later(23);
  await uploads.uploadedArchive(at);
  await later(23);
  t.match(await uploads.upload(at), { offset: 4 });
  await later(2);
  await t.rejects(uploads.upload(at), { code: 'file_not_found' });
  t.same(keptArchives(), []);
});

t.test('nobody reaches the archives of another account, nor those of a server as such', async (t) => {
  const { uploads, partOf } = world(t);
  const { uploadId } = await uploads.createUpload(ARCHIVE);
  const ofServer = await uploads.createUpload({ instanceId: 'demo', path: 'a.zip', sizeBytes: 4 });
  for (const at of [
    { account: 'bert', uploadId },
    { instanceId: 'demo', uploadId },
    { account: 'anna', uploadId: ofServer.uploadId },
  ]) {
    await t.rejects(uploads.upload(at), { code: 'file_not_found' });
    await t.rejects(uploads.removeUpload(at), { code: 'file_not_found' });
  }
  await t.rejects(uploads.uploadedArchive({ account: 'bert', uploadId }), { code: 'file_not_found' });
  t.ok(existsSync(partOf(uploadId)));
});

t.test('an account has at most five archives, however many it begins at once', async (t) => {
  const { uploads, keptArchives } = world(t);
  await Promise.all(Array.from({ length: 20 }, () => uploads.createUpload(ARCHIVE)));
  t.equal(keptArchives().length, 10, 'each has its bytes and its record');
});

t.test('a sixth archive replaces the one of its account that was used longest ago', async (t) => {
  const { uploads, partOf, later } = world(t);
  const begin = async (account = 'anna') => {
    await later(0.1);
    return (await uploads.createUpload({ ...ARCHIVE, account })).uploadId;
  };
  const of = (uploadId: string, account = 'anna') => uploads.upload({ account, uploadId });
  const berts = await begin('bert');
  const used = await begin();
  const [oldest, ...others] = [await begin(), await begin(), await begin(), await begin()];
  await later(0.1);
  writeFileSync(partOf(used), 'PK..');
  await of(used);
  await uploads.uploadedArchive({ account: 'anna', uploadId: used });
  const sixth = await begin();
  await t.rejects(of(oldest), { code: 'file_not_found' });
  for (const kept of [used, ...others, sixth]) t.match(await of(kept), { sizeBytes: 4 });
  t.match(await of(berts, 'bert'), { sizeBytes: 4 });
  // As the import does.
  rmSync(partOf(used));
  await begin();
  t.match(await of(others[0]!), { sizeBytes: 4 }, 'an imported archive does not count');
});

t.test('an archive larger than the disk is refused', async (t) => {
  const { uploads } = world(t);
  await t.rejects(uploads.createUpload({ ...ARCHIVE, sizeBytes: 2 ** 60 }), { code: 'insufficient_storage' });
});
