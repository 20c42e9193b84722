import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { findEntry, listEntries, sendEntry } from '../../../../workers/pool/browse/browse.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { type HandmadeEntry, zipBytes } from '../zip-bytes.ts';

const LINK = 0o120777;
const FOLDER = 0o040755;

function archiveOf(t: Test, entries: readonly HandmadeEntry[]) {
  const file = path.join(temporaryFolder(t), 'backup.zip');
  writeFileSync(file, zipBytes(entries));
  return { archive: { file }, sourceBytes: 1_000_000 };
}

function list(archive: ReturnType<typeof archiveOf>, at = '', page = { skip: 0, limit: 1_000 }) {
  return listEntries({ ...archive, path: at, ...page });
}

/** Returns what a reader gets, and the error that the sender reports. */
async function send(t: Test, archive: ReturnType<typeof archiveOf>, at: string) {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o700);
  const socket = path.join(folder, 's');
  const server = createServer().listen(socket);
  await once(server, 'listening');
  t.teardown(() => server.close());
  const received = once(server, 'connection').then(([connection]) =>
    buffer(connection as Socket).catch(() => undefined),
  );
  const error = await sendEntry({ ...archive, path: at, socket }).then(
    () => undefined,
    (failure: unknown) => failure as { code: string },
  );
  return { error, received };
}

t.test('folders that have no entry of their own are listed', async (t) => {
  const archive = archiveOf(t, [
    { name: 'b/c/d.txt', content: 'd' },
    { name: 'a.txt', content: 'a' },
  ]);
  t.match(await list(archive), {
    entries: [
      { name: 'b', kind: 'folder' },
      { name: 'a.txt', sizeBytes: 1 },
    ],
  });
  t.match(await list(archive, 'b'), { entries: [{ name: 'c', kind: 'folder' }] });
  t.match(await list(archive, 'b/c'), { entries: [{ name: 'd.txt', kind: 'file' }] });
});

t.test('links are shown, and neither entered nor read', async (t) => {
  const archive = archiveOf(t, [{ name: 'out', content: '/etc', mode: LINK }]);
  t.match(await list(archive), { entries: [{ name: 'out', kind: 'link', sizeBytes: 0 }] });
  await t.rejects(list(archive, 'out'), { code: 'invalid_path' });
  await t.rejects(list(archive, 'out/passwd'), { code: 'file_not_found' });
  t.match((await send(t, archive, 'out')).error, { code: 'invalid_path' });
});

for (const [what, entries] of [
  ['a name that leads out', [{ name: '../../etc/cron.d/x', content: 'x' }]],
  ['an absolute name', [{ name: '/etc/passwd', content: 'x' }]],
  ['a name with a backslash', [{ name: '..\\..\\x', content: 'x' }]],
  ['a name with a NUL', [{ name: 'a\0b', content: 'x' }]],
  ['a folder with content', [{ name: 'a/', content: 'x', mode: FOLDER }]],
  ['a device', [{ name: 'a', content: '', mode: 0o020644 }]],
  ['a file twice', [{ name: 'a' }, { name: 'a', content: 'other' }]],
  ['a file with files in it', [{ name: 'a' }, { name: 'a/b' }]],
  ['a link with files in it', [{ name: 'a', content: '/etc', mode: LINK }, { name: 'a/passwd' }]],
  ['more data than recorded', [{ name: 'a', claims: { size: 2_000_000 } }]],
  ['a size that cannot be true', [{ name: 'a', method: 'deflated', content: 'x', claims: { size: 900_000 } }]],
  [
    'entries that overlap',
    ['a', 'b', 'c']
      .map((name) => ({ name, content: 'x'.repeat(500), claims: { offset: 0 } }))
      .concat(
        Array.from({ length: 3 }, (_, index) => ({
          name: `more-${index}`,
          content: '',
          claims: { offset: 0, size: 5_000, compressedSize: 5_000 },
        })),
      ),
  ],
] as const satisfies readonly (readonly [string, readonly HandmadeEntry[]])[])
  t.test(`an archive with ${what} is damaged`, async (t) => {
    await t.rejects(list(archiveOf(t, entries)), { code: 'backup_damaged' });
  });

for (const [what, entry] of [
  ['another checksum', { claims: { crc: 1 } }],
  ['more content than announced', { method: 'deflated', claims: { size: 300_000 } }],
  ['less content than announced', { method: 'deflated', claims: { size: 500_000 } }],
  ['another name in its header', { localName: 'b.bin' }],
  ['a beginning elsewhere', { claims: { offset: 5 } }],
] as const)
  t.test(`a file with ${what} never arrives as a whole`, async (t) => {
    const content = Buffer.from('abcdefgh'.repeat(50_000));
    const archive = archiveOf(t, [{ name: 'a.bin', content, ...entry }]);
    const { sizeBytes } = await findEntry({ ...archive, path: 'a.bin' });
    const { error, received } = await send(t, archive, 'a.bin');
    t.match(error, { code: 'backup_damaged' });
    const bytes = await Promise.race([received, Promise.resolve(undefined)]);
    t.ok((bytes?.length ?? 0) < sizeBytes);
  });

t.test('a file that is no ZIP is damaged', async (t) => {
  const { archive } = archiveOf(t, []);
  writeFileSync(archive.file, 'no ZIP at all');
  await t.rejects(list({ archive, sourceBytes: 1 }), { code: 'backup_damaged' });
});

t.test('100,000 files in one folder are listed in pages', async (t) => {
  const names = Array.from({ length: 100_000 }, (_, index) => `many/${String(index).padStart(6, '0')}.txt`);
  const archive = archiveOf(t, [{ name: 'many/', mode: FOLDER }, ...names.toReversed().map((name) => ({ name }))]);
  t.match(await list(archive), { entries: [{ name: 'many', kind: 'folder' }] });
  const page = await list(archive, 'many', { skip: 99_500, limit: 1_000 });
  t.equal(page.entries.length, 500);
  t.match(page.entries[0], { name: '099500.txt' });
  t.equal(page.next, undefined);
  t.equal((await list(archive, 'many', { skip: 1_000, limit: 1_000 })).next, '2000');
});
