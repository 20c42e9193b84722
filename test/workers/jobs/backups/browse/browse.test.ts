import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { generateIdentity } from 'age-encryption';
import t, { type Test } from 'tap';
import type { EncryptionSettings } from '../../../../../shared/schema/backup-settings.ts';
import { startTestJobs, type TestJobs } from '../../../../support/jobs/test-jobs.ts';
import { fill } from '../../../pool/round-trip.ts';
import { backUp, copiesAre, folderStore } from '../replication/copies.ts';

type Key = { instanceId: string; backupId: string };

const FILES = {
  'server.properties': 'motd=hi\n',
  'empty.txt': '',
  'world/level.dat': 'then',
  // Longer than what is read ahead, and not compressible.
  'world/region/r.0.0.mca': randomBytes(5_000_000),
  'world/region/r.0.1.mca': randomBytes(300_000),
};

function list(jobs: TestJobs, key: Key, at: string, page = { skip: 0, limit: 1_000 }) {
  return jobs.call.backupFiles({ ...key, path: at, ...page });
}

let lastSocket = 0;

/** Reads a file out of a backup over a socket, like the gateway. */
async function read(jobs: TestJobs, key: Key, at: string): Promise<Buffer> {
  const socket = jobs.home.exportSocket(String(++lastSocket).padStart(8, '0'));
  const server = createServer().listen(socket);
  await once(server, 'listening');
  const received = once(server, 'connection').then(([connection]) => buffer(connection as Socket));
  try {
    await jobs.call.sendBackupFile({ ...key, path: at, socket }, { timeoutMs: 0 });
    return await received;
  } finally {
    server.close();
  }
}

async function canBeBrowsed(t: Test, jobs: TestJobs, key: Key): Promise<void> {
  const top = await list(jobs, key, '');
  t.same(
    top.entries.map(({ name, kind, sizeBytes }) => [name, kind, sizeBytes]),
    [
      ['world', 'folder', 0],
      ['empty.txt', 'file', 0],
      ['link', 'link', 0],
      ['server.properties', 'file', 8],
    ],
  );
  t.equal(top.next, undefined);
  const region = await list(jobs, key, 'world/region');
  t.match(region.entries, [{ name: 'r.0.0.mca', sizeBytes: 5_000_000 }, { name: 'r.0.1.mca' }]);
  for (const [name, content] of Object.entries(FILES)) {
    t.equal((await jobs.call.backupFile({ ...key, path: name })).sizeBytes, content.length, name);
    t.ok((await read(jobs, key, name)).equals(Buffer.from(content)), name);
  }
}

/** A backup with a copy in a store, and no archive on this machine. */
async function onlyCopied(t: Test, encryption?: EncryptionSettings) {
  const jobs = await startTestJobs(t);
  const nas = folderStore(t);
  jobs.daemon.setBackups({ stores: [nas], ...(encryption && { encryption }) });
  makeFiles(jobs);
  const key = await backUp(jobs);
  await copiesAre(jobs, key, 'replicated');
  rmSync(await jobs.call.archivePath(key));
  const copy = path.join(nas.directory, key.instanceId, `${key.backupId}.zip${encryption ? '.age' : ''}`);
  return { jobs, key, nas, copy };
}

function makeFiles(jobs: TestJobs): void {
  const folder = fill(jobs.home.instanceDirectory('survival'), FILES);
  symlinkSync('server.properties', path.join(folder, 'link'));
}

t.test('a backup on this machine', async (t) => {
  const jobs = await startTestJobs(t);
  makeFiles(jobs);
  const key = await backUp(jobs);
  await canBeBrowsed(t, jobs, key);

  t.test('is listed in pages', async (t) => {
    const first = await list(jobs, key, '', { skip: 0, limit: 2 });
    t.match(first, { entries: [{ name: 'world' }, { name: 'empty.txt' }], next: '2' });
    t.equal(first.entries.length, 2);
    const second = await list(jobs, key, '', { skip: 2, limit: 2 });
    t.match(second.entries, [{ name: 'link' }, { name: 'server.properties' }]);
    t.equal(second.next, undefined);
    t.same((await list(jobs, key, '', { skip: 4, limit: 2 })).entries, []);
  });

  t.test('has only the files that are in it', async (t) => {
    for (const at of ['none', 'world/none', 'worl', 'world/region/r.0.0.mca/x'])
      await t.rejects(list(jobs, key, at), { code: 'file_not_found' }, at);
    await t.rejects(read(jobs, key, 'none'), { code: 'file_not_found' });
    await t.rejects(list(jobs, key, 'server.properties'), { code: 'invalid_path' });
    for (const at of ['', 'world', 'link']) await t.rejects(read(jobs, key, at), { code: 'invalid_path' }, at);
    for (const at of ['/etc', '../x', 'a/../b', './a', 'a//b', 'a/', 'a\\b', 'a\0b', 'x'.repeat(4_096)]) {
      await t.rejects(list(jobs, key, at), { code: 'invalid_path' }, at);
      await t.rejects(jobs.call.backupFile({ ...key, path: at }), { code: 'invalid_path' }, at);
    }
    await t.rejects(list(jobs, { ...key, backupId: '20261120T081500Z-000000' }, ''), { code: 'backup_not_found' });
  });
});

t.test('a copy in a store', async (t) => {
  const { jobs, key, copy, nas } = await onlyCopied(t);
  await canBeBrowsed(t, jobs, key);
  truncateSync(copy, statSync(copy).size - 1);
  await t.rejects(list(jobs, key, ''), { code: 'backup_damaged', message: /copy in the store "nas" is damaged/ });
  rmSync(nas.directory, { recursive: true });
  await t.rejects(list(jobs, key, ''), { code: 'backup_damaged', message: /"nas" is not there/ });
});

t.test('an encrypted copy in a store', async (t) => {
  const identity = await generateIdentity();
  const { jobs, key, nas } = await onlyCopied(t, { identity });
  await canBeBrowsed(t, jobs, key);
  jobs.daemon.setBackups({ stores: [nas], encryption: { identity: await generateIdentity() } });
  await t.rejects(list(jobs, key, ''), { code: 'decryption_failed' });
});

t.test('a backup without an archive and a copy', async (t) => {
  const jobs = await startTestJobs(t);
  makeFiles(jobs);
  const key = await backUp(jobs);
  const archive = await jobs.call.archivePath(key);
  truncateSync(archive, 100);
  await t.rejects(list(jobs, key, ''), { code: 'backup_damaged', message: /its size has changed/ });
  rmSync(archive);
  await t.rejects(list(jobs, key, ''), { code: 'backup_damaged', message: /missing/ });
});

t.test('a reader who leaves ends the reading, and the next one gets the file', async (t) => {
  const { jobs, key } = await onlyCopied(t);
  const socket = jobs.home.exportSocket('leaving1');
  const server = createServer((connection) => connection.once('data', () => connection.destroy())).listen(socket);
  await once(server, 'listening');
  t.teardown(() => server.close());
  const large = { ...key, path: 'world/region/r.0.0.mca' };
  await t.rejects(
    jobs.call.sendBackupFile({ ...large, socket }, { timeoutMs: 0 }),
    /went away|EPIPE|ECONNRESET|internal/i,
  );
  t.equal((await read(jobs, key, large.path)).length, 5_000_000);
});

t.test('a cancelled request ends the reading', async (t) => {
  const { jobs, key } = await onlyCopied(t);
  const socket = jobs.home.exportSocket('stalled1');
  const server = createServer({ pauseOnConnect: true }).listen(socket);
  await once(server, 'listening');
  t.teardown(() => server.close());
  const caller = new AbortController();
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const path = 'world/region/r.0.0.mca';
  const sent = jobs.call.sendBackupFile({ ...key, path, socket }, { timeoutMs: 0, signal: caller.signal });
  const [connection] = await connected;
  const closed = once(connection, 'close');
  caller.abort(new Error('the reader has gone'));
  await t.rejects(sent, { message: 'the reader has gone' });
  connection.resume();
  await closed;
});
