/** Uploads in pieces with tus-js-client, the client of the protocol's authors. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import t from 'tap';
import type { DetailedError, UploadOptions } from 'tus-js-client';
import { type TusUpload, tusUpload } from '../support/http/tus-upload.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { watchedProcess } from '../support/processes/watched-process.ts';

const gamekeeper = await startGamekeeper(t);
const folder = path.join(gamekeeper.home, 'instances/demo');
const headers = { authorization: `Bearer ${await gamekeeper.token()}` };
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
writeFileSync(path.join(folder, 'kept'), 'kept');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const unfinished = () =>
  readdirSync(path.join(folder, '.gamekeeper-files/uploads')).filter((name) => name.endsWith('.part'));

/** Uploads to a path. */
function upload(file: string, bytes: Buffer, options: Partial<UploadOptions> = {}): TusUpload {
  const address = `/instances/demo/files/uploads?path=${encodeURIComponent(file)}`;
  return tusUpload(new URL(address, gamekeeper.addresses().panel), bytes, { headers, ...options });
}

t.test('a file arrives in pieces, although the gateway is killed in the middle', async (t) => {
  const bytes = randomBytes(24 * 1024 * 1024);
  let kills = 0;
  const { done } = upload('world.zip', bytes, {
    chunkSize: 1024 * 1024,
    onChunkComplete(_size, accepted) {
      if (kills > 1 || accepted < (kills + 1) * 8 * 1024 * 1024) return;
      kills++;
      process.kill(watchedProcess(gamekeeper, /gateway\/main/).pid, 'SIGKILL');
    },
  });
  await done;
  t.equal(kills, 2);
  t.equal(sha256(readFileSync(path.join(folder, 'world.zip'))), sha256(bytes));
  t.same(unfinished(), [], 'nothing else is left');
});

t.test('a new client continues what another one has begun', async (t) => {
  const bytes = randomBytes(8 * 1024 * 1024);
  const paused = Promise.withResolvers<void>();
  const first = upload('later.bin', bytes, {
    chunkSize: 1024 * 1024,
    onChunkComplete(_size, accepted) {
      if (accepted >= 3 * 1024 * 1024) void first.upload.abort().then(paused.resolve);
    },
  });
  await paused.promise;
  t.notOk(existsSync(path.join(folder, 'later.bin')));
  let sent = 0;
  const { done } = upload('later.bin', bytes, {
    uploadUrl: first.upload.url ?? '',
    chunkSize: 1024 * 1024,
    onChunkComplete: (size) => {
      sent += size;
    },
  });
  await done;
  t.ok(sent <= 5 * 1024 * 1024, 'only the rest is sent');
  t.equal(sha256(readFileSync(path.join(folder, 'later.bin'))), sha256(bytes));
});

t.test('conditions hold at the beginning and at the end, and an upload can be cancelled', async (t) => {
  const never = { retryDelays: null } as unknown as Partial<UploadOptions>;
  const refused = async (file: string, condition: Record<string, string>, status: number) => {
    const { done } = upload(file, Buffer.from('new'), { ...never, headers: { ...headers, ...condition } });
    const error = await done.then(
      () => undefined,
      (cause: DetailedError) => cause,
    );
    t.equal(error?.originalResponse?.getStatus(), status);
  };
  await refused('kept', { 'if-none-match': '*' }, 409);
  await refused('kept', { 'if-match': '"old"' }, 412);
  await refused('../x', {}, 400);
  await refused('no/such/folder', {}, 404);
  t.equal(readFileSync(path.join(folder, 'kept'), 'utf8'), 'kept');
  t.same(unfinished(), []);

  const late = upload('late.bin', randomBytes(2 * 1024 * 1024), {
    ...never,
    headers: { ...headers, 'if-none-match': '*' },
    chunkSize: 1024 * 1024,
    onChunkComplete: () => writeFileSync(path.join(folder, 'late.bin'), 'made meanwhile'),
  });
  await t.rejects(late.done, { message: /409/ });
  t.equal(readFileSync(path.join(folder, 'late.bin'), 'utf8'), 'made meanwhile');
  t.same(unfinished(), []);

  const stopped = Promise.withResolvers<void>();
  const one = upload('gone.bin', randomBytes(4 * 1024 * 1024), {
    chunkSize: 1024 * 1024,
    onChunkComplete: () => void one.upload.abort(true).then(stopped.resolve, stopped.reject),
  });
  await stopped.promise;
  t.same(unfinished(), []);
  await upload('empty', Buffer.alloc(0)).done;
  t.equal(readFileSync(path.join(folder, 'empty')).length, 0);
});

t.test('others cannot continue an upload of somebody else, nor guess one', async (t) => {
  const base = gamekeeper.addresses().panel;
  const head = (url: string, by: Record<string, string>) =>
    fetch(new URL(url, base), { method: 'HEAD', headers: { ...by, 'tus-resumable': '1.0.0' } });
  t.equal((await head(`/instances/demo/files/uploads/${'0'.repeat(32)}`, headers)).status, 404);
  t.equal((await head('/instances/demo/files/uploads/..%2F..%2Fx', headers)).status, 404);
  // A URL parser takes the backslashes for slashes, the router does not.
  const { hostname, port } = new URL(base);
  const odd = `/instances/demo/files/uploads/..\\..\\..\\other\\files\\uploads\\${'0'.repeat(32)}`;
  const status = await new Promise((resolve, reject) => {
    const options = { hostname, port, method: 'DELETE', path: odd, headers: { ...headers, 'tus-resumable': '1.0.0' } };
    request(options, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  t.equal(status, 404);
  const reader = { authorization: `Bearer ${await gamekeeper.token({ scopes: ['servers:read'] })}` };
  t.equal((await head(`/instances/demo/files/uploads/${'0'.repeat(32)}`, reader)).status, 403);
  t.equal((await head(`/instances/demo/files/uploads/${'0'.repeat(32)}`, {})).status, 401);
});
