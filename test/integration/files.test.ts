/** The files of a server over HTTP, with a real daemon, gateway and files process. */
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import t from 'tap';
import type { DeletedFile, FileList, TrashEntry, WrittenFile } from '../../shared/schema/files.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const gamekeeper = await startGamekeeper(t);
const folder = path.join(gamekeeper.home, 'instances/demo');
const admin = { authorization: `Bearer ${await gamekeeper.token()}` };
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
mkdirSync(path.join(folder, 'plugins'), { recursive: true });

const at = (route: string, query: Record<string, string> = {}) =>
  `/instances/demo/files${route}?${new URLSearchParams(query)}`;
const url = (route: string, query: Record<string, string> = {}) =>
  new URL(at(route, query), gamekeeper.addresses().panel);
const put = (file: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(url('/content', { path: file }), {
    method: 'PUT',
    body: Buffer.from(body),
    headers: { ...('cookie' in headers ? {} : admin), ...headers },
  });
const get = (file: string, headers: Record<string, string> = {}) =>
  fetch(url('/content', { path: file }), { headers: { ...('cookie' in headers ? {} : admin), ...headers } });
const list = async (query: Record<string, string> = {}) => (await gamekeeper.api<FileList>('GET', at('', query))).body;
const change = (route: string, body: object) => gamekeeper.api('POST', at(route), body);

t.test('a file is written, read in parts, and replaced only by who has seen the last version', async (t) => {
  const made = await put('plugins/shop.yml', 'price: 1\n', { 'content-type': 'application/json' });
  t.equal(made.status, 201, 'any content type is bytes');
  const first = (await made.json()) as WrittenFile;
  t.match(first, { path: 'plugins/shop.yml', sizeBytes: 9 });
  t.equal(made.headers.get('etag'), first.etag);
  t.equal(readFileSync(path.join(folder, 'plugins/shop.yml'), 'utf8'), 'price: 1\n');
  t.equal(statSync(path.join(folder, 'plugins/shop.yml')).mode & 0o777, 0o644);

  const whole = await get('plugins/shop.yml');
  t.equal(await whole.text(), 'price: 1\n');
  t.equal(whole.headers.get('etag'), first.etag);
  t.equal(whole.headers.get('content-length'), '9');
  t.match(whole.headers.get('content-disposition'), /^attachment; filename="shop.yml"/);
  const part = await get('plugins/shop.yml', { range: 'bytes=7-' });
  t.equal(part.status, 206);
  t.equal(part.headers.get('content-range'), 'bytes 7-8/9');
  t.equal(await part.text(), '1\n');
  t.equal((await get('plugins/shop.yml', { range: 'bytes=9-' })).status, 416);
  t.equal((await get('plugins/shop.yml', { 'if-none-match': first.etag })).status, 304);

  chmodSync(path.join(folder, 'plugins/shop.yml'), 0o600);
  const { etag = '' } = Object.fromEntries((await get('plugins/shop.yml')).headers);
  const second = await put('plugins/shop.yml', 'price: 2\n', { 'if-match': etag });
  t.equal(second.status, 200);
  t.equal(statSync(path.join(folder, 'plugins/shop.yml')).mode & 0o777, 0o600, 'the mode is kept');
  const late = await put('plugins/shop.yml', 'price: 3\n', { 'if-match': etag });
  t.match(await late.json(), { code: 'precondition_failed' });
  const again = await put('plugins/shop.yml', 'price: 4\n', { 'if-none-match': '*' });
  t.match(await again.json(), { code: 'file_exists' });
  t.equal(readFileSync(path.join(folder, 'plugins/shop.yml'), 'utf8'), 'price: 2\n');
  t.same(readdirSync(path.join(folder, '.gamekeeper-files/staged')), [], 'nothing is left of what was refused');
});

t.test('empty and large files come back byte by byte', async (t) => {
  t.equal((await put('empty', '')).status, 201);
  t.equal(await (await get('empty')).text(), '');
  const large = randomBytes(32 * 1024 * 1024);
  t.equal((await put('large.bin', large)).status, 201);
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  t.equal(hash(Buffer.from(await (await get('large.bin')).arrayBuffer())), hash(large));
  t.equal(
    (await fetch(url('/content', { path: 'large.bin' }), { method: 'HEAD', headers: admin })).headers.get(
      'content-length',
    ),
    String(large.length),
  );
});

t.test('an upload that is cut off leaves nothing', async (t) => {
  const { port } = new URL(gamekeeper.addresses().panel);
  const headers = { ...admin, 'content-length': '1000000' };
  const upload = request({ port, method: 'PUT', path: at('/content', { path: 'cut.bin' }), headers });
  upload.on('error', () => undefined);
  upload.write(Buffer.alloc(300_000));
  const staged = path.join(folder, '.gamekeeper-files/staged');
  await until('bytes arrive', () => readdirSync(staged).some((name) => statSync(path.join(staged, name)).size > 0));
  upload.destroy();
  await until('they are discarded', () => readdirSync(staged).length === 0);
  t.notOk(existsSync(path.join(folder, 'cut.bin')));
});

t.test('folders are listed in pages, sorted, with folders first', async (t) => {
  mkdirSync(path.join(folder, 'many/sub'), { recursive: true });
  for (let n = 0; n < 25; n++)
    writeFileSync(path.join(folder, 'many', `F${String(n).padStart(2, '0')}`), 'x'.repeat(25 - n));
  symlinkSync('/etc', path.join(folder, 'many/out'));
  execFileSync('mkfifo', [path.join(folder, 'many/pipe')]);
  const names: string[] = [];
  let pages = 0;
  for (let after: string | undefined; pages === 0 || after !== undefined; pages++) {
    const page: FileList = await list({ path: 'many', limit: '10', ...(after !== undefined && { cursor: after }) });
    names.push(...page.entries.map(({ name }) => name));
    after = page.next;
  }
  t.equal(pages, 3);
  t.same(names, ['sub', ...Array.from({ length: 25 }, (_, n) => `F${String(n).padStart(2, '0')}`), 'out', 'pipe']);
  const { entries } = await list({ path: 'many', sort: 'size', order: 'desc', limit: '3' });
  t.match(entries, [{ name: 'sub', kind: 'folder' }, { name: 'F00', kind: 'file', sizeBytes: 25 }, { name: 'F01' }]);
  const kinds = Object.fromEntries((await list({ path: 'many' })).entries.map(({ name, kind }) => [name, kind]));
  t.match(kinds, { out: 'link', pipe: 'other' });
  t.notOk(
    (await list()).entries.some(({ name }) => name.startsWith('.gamekeeper')),
    'what is ours is not shown',
  );
});

t.test('folders and files are made, moved, copied and deleted', async (t) => {
  t.equal((await change('/folder', { path: 'maps' })).status, 201);
  t.match(await change('/folder', { path: 'maps' }), { status: 409, body: { code: 'file_exists' } });
  t.match(await change('/folder', { path: 'no/maps' }), { status: 404, body: { code: 'file_not_found' } });
  await put('maps/one.dat', 'one');
  symlinkSync('one.dat', path.join(folder, 'maps/link'));
  t.equal((await change('/copy', { from: 'maps', to: 'maps copy' })).status, 204);
  t.equal(readFileSync(path.join(folder, 'maps copy/one.dat'), 'utf8'), 'one');
  t.equal((await change('/move', { from: 'maps copy/one.dat', to: 'maps/two.dat' })).status, 204);
  t.match(await change('/move', { from: 'maps/two.dat', to: 'maps/one.dat' }), { status: 409 });
  t.match(await change('/move', { from: 'maps', to: 'maps/inside' }), { status: 400, body: { code: 'invalid_path' } });
  t.match(await change('/copy', { from: 'maps', to: 'maps/inside' }), { status: 400 });

  const deleted = await gamekeeper.api<DeletedFile>('DELETE', at('', { path: 'maps' }));
  t.equal(deleted.status, 200);
  t.notOk(existsSync(path.join(folder, 'maps')));
  const { body: trash } = await gamekeeper.api<{ entries: TrashEntry[] }>('GET', at('/trash'));
  t.match(trash.entries, [{ trashId: deleted.body.trashId, path: 'maps', kind: 'folder' }]);
  t.equal((await change(`/trash/${deleted.body.trashId}/restore`, {})).status, 200);
  t.same(readdirSync(path.join(folder, 'maps')).sort(), ['link', 'one.dat', 'two.dat']);
  t.same((await gamekeeper.api('DELETE', at('', { path: 'maps', permanently: 'true' }))).body, {});
  t.notOk(existsSync(path.join(folder, 'maps')));
  t.match(await gamekeeper.api('DELETE', at('', { path: 'maps' })), { status: 404, body: { code: 'file_not_found' } });
});

t.test('no path leads out of the folder', async (t) => {
  const outside = temporaryFolder(t);
  writeFileSync(path.join(outside, 'secret'), 'secret');
  symlinkSync(outside, path.join(folder, 'way-out'));
  symlinkSync(path.join(outside, 'secret'), path.join(folder, 'secret-link'));
  for (const bad of [
    '../x',
    'a/../../x',
    '/etc/passwd',
    'a//b',
    './a',
    'a/.',
    '.gamekeeper-files/x',
    'x'.repeat(300),
    'a\0b',
  ])
    t.match(await (await get(bad)).json(), { code: 'invalid_path' }, bad.slice(0, 20));
  for (const link of ['way-out/secret', 'secret-link']) {
    t.match(await (await get(link)).json(), { code: 'invalid_path' });
    t.match(await (await put(link, 'x')).json(), { code: 'invalid_path' });
    t.equal(readFileSync(path.join(outside, 'secret'), 'utf8'), 'secret');
  }
  t.match(await gamekeeper.api('GET', at('', { path: 'way-out' })), { status: 400 });
  t.equal((await gamekeeper.api('DELETE', at('', { path: 'way-out', permanently: 'true' }))).status, 200);
  t.same(readdirSync(outside), ['secret'], 'only the link is deleted');
  mkdtempSync(path.join(folder, 'x'));
});

t.test('only administrators and users with a grant reach files, and readers see no secrets', async (t) => {
  writeFileSync(
    path.join(folder, 'plugins/db.yml'),
    'database:\n  password: "hunter22 is mine"\n  host: localhost\nurl: mysql://me:p4ss-w0rd@db/x\nname: x\n',
  );
  const signIn = async (name: string, instances: unknown[]) => {
    const { body } = await gamekeeper.api<{ password: string }>(
      'POST',
      '/api/users',
      {
        ...{ username: name, role: 'operator', password: 'correct horse battery', instances },
      },
      { cookie: await gamekeeper.login(), origin: gamekeeper.addresses().panel },
    );
    t.ok(body);
    const answer = await fetch(new URL('/api/login', gamekeeper.addresses().panel), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: name, password: 'correct horse battery' }),
    });
    return {
      cookie: String(answer.headers.get('set-cookie')).split(';')[0] ?? '',
      origin: gamekeeper.addresses().panel,
    };
  };
  const nobody = await signIn('nobody', ['demo']);
  const reader = await signIn('reader', [{ id: 'demo', role: 'operator', files: 'read' }]);
  const writer = await signIn('writer', [{ id: 'demo', role: 'operator', files: 'write' }]);
  t.match(await gamekeeper.api('GET', at(''), undefined, nobody), {
    status: 403,
    body: { code: 'insufficient_scope' },
  });
  t.equal((await gamekeeper.api('GET', at(''), undefined, reader)).status, 200);
  const shown = await (await get('plugins/db.yml', reader)).text();
  t.equal(
    shown,
    'database:\n  password: "****************"\n  host: localhost\nurl: mysql://me:*********@db/x\nname: x\n',
  );
  const part = await get('plugins/db.yml', { ...reader, range: 'bytes=24-30' });
  t.equal(await part.text(), '*******', 'a range that begins after the key');
  t.equal((await put('plugins/x', 'x', reader)).status, 403);
  t.match(await (await get('plugins/db.yml', writer)).text(), 'hunter22');
  t.equal((await put('plugins/x', 'x', writer)).status, 201);
});
