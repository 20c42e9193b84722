import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { ServerFolders } from '../../../../workers/files/folder/server-folders.ts';
import { createUploads, expireUploads } from '../../../../workers/files/uploads/uploads.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const HOUR = 60 * 60 * 1_000;

function world(t: Test) {
  const root = temporaryFolder(t);
  let now = Date.parse('2026-01-01T00:00:00Z');
  const folders: ServerFolders = {
    all: async () => ['demo'],
    toRead: async () => root,
    toChange: async () => root,
    secrets: async () => [],
  };
  return {
    root,
    uploads: createUploads({ folders, now: () => now }),
    kept: () => readdirSync(path.join(root, '.gamekeeper-files/uploads')),
    async later(hours: number) {
      now += hours * HOUR;
      await expireUploads(root, now);
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
