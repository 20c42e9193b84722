/**
 * A store that turns hostile cannot redirect Gamekeeper to other addresses: they would get the credentials (same host, another port), or
 * requests that only this machine can send (CVE-2024-34068 of Wings: of downloads).
 */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { signedInAdmin } from '../support/http/signed-in-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const PASSWORD = 'secret-of-the-store';
const reached: string[] = [];
const inner = await listen(({ method, url, headers }, response) => {
  reached.push(`${method} ${url} ${headers.authorization ?? ''}`);
  response.writeHead(207, { 'content-type': 'application/xml' }).end('<multistatus xmlns="DAV:"/>');
});
let target = inner;
let status = 307;
const hostile = await listen((_request, response) => {
  response.writeHead(status, { location: `${target}/inner` }).end();
});

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const gamekeeper = await startGamekeeper(t);
const admin = await signedInAdmin(gamekeeper);
const { port } = new URL(inner);

async function test(store: object) {
  const changed = await admin.api('PUT', '/api/settings', { backups: { stores: [{ name: 'cloud', ...store }] } });
  t.equal(changed.status, 200, 'the store is in the settings');
  return admin.api<{ code: string; detail: string }>('POST', '/api/stores/cloud/test');
}

t.test('WebDAV: neither to another port nor to another name of this machine', async (t) => {
  const webdav = { kind: 'webdav', url: `${hostile}/files`, username: 'alex', password: PASSWORD };
  for (target of [inner, `http://localhost:${port}`, `http://[::ffff:127.0.0.1]:${port}`])
    for (status of [301, 302, 303, 307, 308]) {
      const { body } = await test(webdav);
      t.equal(body.code, 'store_refused', `${status} to ${target}: ${body.detail}`);
      t.match(body.detail, /redirects to another address/);
    }
  t.same(reached, []);
});

t.test('WebDAV: not to plain http or to other protocols', async (t) => {
  for (target of ['https://127.0.0.1:1', 'file:///etc', 'data:text/xml,<multistatus xmlns="DAV:"/>']) {
    const { body } = await test({ kind: 'webdav', url: `${hostile}/files` });
    t.match(body.code, /^store_(refused|unavailable)$/, `${target}: ${body.detail}`);
  }
  t.same(reached, []);
});

t.test('S3: not at all', async (t) => {
  const s3 = { kind: 's3', endpoint: hostile, bucket: 'copies', accessKeyId: 'AKIA', secretAccessKey: PASSWORD };
  for (target of [inner, `http://localhost:${port}`])
    for (status of [301, 307]) t.match((await test(s3)).body.code, /^store_(refused|unavailable)$/, `${status}`);
  t.same(reached, []);
});
