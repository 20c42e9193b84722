/** Archives are uploaded with tus-js-client, the client of the protocol's authors, and then imported. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { DetailedError, Upload, type UploadOptions } from 'tus-js-client';
import type { ImportedInstance, Recognition } from '../../shared/schema/import.ts';
import type { Job } from '../../shared/schema/job.ts';
import { signedInUser } from '../support/http/signed-in-user.ts';
import { tusUpload } from '../support/http/tus-upload.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { watchedProcess } from '../support/processes/watched-process.ts';
import { indexOf, modFile, packOf } from '../workers/jobs/modpacks/pack-files.ts';
import { startFakeFabric } from '../workers/jobs/mods/fake-fabric.ts';
import { GAME, startFakeModrinth } from '../workers/jobs/mods/fake-modrinth.ts';
import { paperclip, SETTINGS } from '../workers/pool/recognise/server-folders.ts';
import { zipBytes } from '../workers/pool/zip-bytes.ts';

const modrinth = await startFakeModrinth(t);
const fabric = await startFakeFabric(t, GAME);
const gamekeeper = await startGamekeeper(t, {
  settings: {
    vendors: { modrinth: modrinth.base, fabric: fabric.base },
    limits: { requestsPerSecond: 10_000, burst: 10_000 },
  },
});
const headers = { authorization: `Bearer ${await gamekeeper.token()}` };
const kept = path.join(gamekeeper.home, 'imports/.gamekeeper-files/uploads');
const parts = () => readdirSync(kept).filter((name) => name.endsWith('.part'));
const server = zipBytes([
  { name: 'paper.jar', content: paperclip('paper') },
  ...Object.entries(SETTINGS).map(([name, content]) => ({ name, content })),
]);

/** Uploads an archive. Resolves to the id of the upload. */
async function upload(name: string, bytes: Buffer, options: Partial<UploadOptions> = {}): Promise<string> {
  const address = `/instances/import/uploads?name=${encodeURIComponent(name)}`;
  const one = tusUpload(new URL(address, gamekeeper.addresses().panel), bytes, { headers, ...options });
  await one.done;
  return one.upload.url?.split('/').at(-1) ?? '';
}

/** Resolves to the status and the body of the refusal. */
async function refusal(uploading: Promise<string>): Promise<{ status: number; body: { code: string } }> {
  const error = await uploading.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof DetailedError)) throw new Error('It was not refused', { cause: error });
  const response = error.originalResponse;
  return { status: response?.getStatus() ?? 0, body: JSON.parse(response?.getBody() || '{}') };
}

const importing = <T = ImportedInstance>(body: object, by: Record<string, string> = headers) =>
  gamekeeper.api<T>('POST', '/instances/import', body, by);

const NEVER_AGAIN = { retryDelays: null } as unknown as Partial<UploadOptions>;

t.test('a ZIP is uploaded, although the files process is killed in the middle, inspected and imported', async (t) => {
  // Large enough for some pieces.
  const content = randomBytes(8 * 1024 * 1024);
  const bytes = zipBytes([
    { name: 'server/paper.jar', content: paperclip('paper') },
    ...Object.entries(SETTINGS).map(([name, each]) => ({ name: `server/${name}`, content: each })),
    { name: 'server/world/region/r.0.0.mca', content },
  ]);
  let isKilled = false;
  const id = await upload('Old world.zip', bytes, {
    chunkSize: 1024 * 1024,
    onChunkComplete(_size, accepted) {
      if (isKilled || accepted < 3 * 1024 * 1024) return;
      isKilled = true;
      process.kill(watchedProcess(gamekeeper, /workers\/files/).pid, 'SIGKILL');
    },
  });
  t.ok(isKilled);

  const looked = await importing<Recognition>({ upload: id, dryRun: true });
  t.equal(looked.status, 200, JSON.stringify(looked.body));
  t.match(looked.body, { directory: 'Old world.zip', software: { value: 'paper' }, version: { value: '1.21.4' } });
  t.same((await gamekeeper.api('GET', '/instances')).body, [], 'a dry run creates nothing');

  const made = await importing({ upload: id });
  t.equal(made.status, 201, JSON.stringify(made.body));
  t.match(made.body, { id: 'old-world', name: 'Old world', recognised: { directory: 'Old world.zip' } });
  t.ok(existsSync(path.join(gamekeeper.home, 'instances/old-world/world/region/r.0.0.mca')));
  t.same(parts(), [], 'the upload is removed');
  t.match(await importing({ upload: id, name: 'Twice' }), { status: 404, body: { code: 'file_not_found' } });
});

t.test('a modpack is uploaded and imported', async (t) => {
  modrinth.add({ slug: 'calm', versions: [{ number: '1' }] });
  const id = await upload('Pack.mrpack', packOf(indexOf([modFile('calm', modrinth)])));
  t.match(await importing<Recognition>({ upload: id, dryRun: true }), {
    status: 200,
    body: { directory: 'Pack.mrpack', software: { value: 'fabric' } },
  });
  t.match(await importing({ upload: id }), { status: 201, body: { id: 'pack', software: 'fabric' } });
  t.ok(existsSync(path.join(gamekeeper.home, 'instances/pack/mods/calm.jar')));
  t.same(parts(), []);
});

t.test('a name may be as long as a browser can have it', async (t) => {
  const name = `${'界'.repeat(120)}.zip`;
  const id = await upload(name, server);
  t.match(await importing({ upload: id, dryRun: true }), { status: 200, body: { directory: name } });
  t.match(await importing({ upload: id, id: 'long-name' }), {
    status: 201,
    body: { id: 'long-name', software: 'paper' },
  });
});

t.test('an upload that cannot be imported is named in the error, and stays for another attempt', async (t) => {
  const broken = await upload('broken.zip', Buffer.from('no ZIP'));
  t.match(await importing({ upload: broken }), {
    status: 400,
    body: { code: 'invalid_request', detail: /^archive: broken\.zip cannot be unpacked/ },
  });
  t.same(parts(), [`${broken}.part`]);
  const { panel } = gamekeeper.addresses();
  await Upload.terminate(String(new URL(`/instances/import/uploads/${broken}`, panel)), { headers });
  t.same(parts(), []);
  t.match(await importing({ upload: broken, dryRun: true }), { status: 404 });
  t.match(await importing({ upload: broken, archive: '/x.zip' }), { status: 400 });
  t.match(await importing({ upload: '../../etc/passwd' }), { status: 400 });
});

t.test('of two imports of the same upload one fails', async (t) => {
  const id = await upload('Once.zip', server);
  const later = { ...headers, prefer: 'respond-async' };
  const jobs = [];
  for (const name of ['One', 'Other']) jobs.push((await importing<Job>({ upload: id, name }, later)).body.jobId);
  const ended = await Promise.all(
    jobs.map((jobId) =>
      until(`${jobId} has ended`, async () => {
        const { body } = await gamekeeper.api<Job>('GET', `/jobs/${jobId}`);
        return !['queued', 'running'].includes(body.state) && body;
      }),
    ),
  );
  t.same(ended.map(({ state }) => state).sort(), ['done', 'failed']);
  const { error } = ended.find(({ state }) => state === 'failed')!;
  t.match(error?.code, /^(?:already_in_progress|file_not_found)$/);
});

t.test('only local administrators upload, and each reaches only their own', async (t) => {
  const id = await upload('Mine.zip', server);
  const { panel } = gamekeeper.addresses();
  const address = new URL(`/instances/import/uploads/${id}`, panel);
  const other = await signedInUser(gamekeeper, { username: 'bea', role: 'admin' });
  const limited = { authorization: `Bearer ${await gamekeeper.token({ scopes: ['servers:write'] })}` };
  const operator = await signedInUser(gamekeeper, { username: 'otto', role: 'operator' });
  const ask = (method: string, by: Record<string, string>) =>
    fetch(address, { method, headers: { ...by, 'tus-resumable': '1.0.0' } });
  for (const [by, status] of [
    [other.headers, 404],
    [limited, 403],
    [operator.headers, 403],
    [{ origin: panel }, 401],
  ] as const)
    for (const method of ['HEAD', 'DELETE']) t.equal((await ask(method, by)).status, status, `${method} ${status}`);
  t.match(await importing({ upload: id }, other.headers), { status: 404 });
  t.match(await importing({ upload: id, dryRun: true }, limited), { status: 403 });
  for (const by of [limited, operator.headers])
    t.match(await refusal(upload('Theirs.zip', server, { ...NEVER_AGAIN, headers: by })), { status: 403 });
  const cookie = { cookie: await gamekeeper.login(), origin: panel };
  t.equal((await ask('HEAD', cookie)).status, 200, 'a session of the same user reaches it');
  t.equal((await ask('DELETE', headers)).status, 204);
});

t.test('sizes and numbers have a bound, also against a thousand requests', async (t) => {
  const begin = (length: number | string, name = 'x.zip') =>
    fetch(new URL(`/instances/import/uploads?name=${name}`, gamekeeper.addresses().panel), {
      method: 'POST',
      headers: { ...headers, 'tus-resumable': '1.0.0', 'upload-length': String(length) },
    });
  t.equal((await begin(2 ** 52)).status, 507, 'more than the disk has');
  t.equal((await begin('9'.repeat(20))).status, 400, 'no number of bytes');
  for (const name of ['..%2Fx.zip', 'a%2Fb.zip', 'a%5Cb.zip', 'a%0Ab.zip', ''])
    t.equal((await begin(1, name)).status, 400, name);

  const statuses: number[] = [];
  const addresses: string[] = [];
  for (let round = 0; round < 50; round++)
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { status, headers: answered } = await begin(1);
        statuses.push(status);
        if (status === 201) addresses.push(answered.get('location') ?? '');
      }),
    );
  t.ok(addresses.length > 5);
  // 404: five newer ones had begun before the answer was written.
  t.same(
    statuses.filter((status) => ![201, 404, 429].includes(status)),
    [],
  );
  const left = readdirSync(kept);
  t.equal(left.length, 10, 'five are kept, each with its bytes and its record');
  const isLeft = (address: string) => left.some((name) => name.startsWith(path.basename(address)));
  for (const address of addresses.filter(isLeft)) {
    const answer = await fetch(new URL(address, gamekeeper.addresses().panel), {
      method: 'DELETE',
      headers: { ...headers, 'tus-resumable': '1.0.0' },
    });
    t.equal(answer.status, 204);
  }
  t.same(readdirSync(kept), []);
});
