/**
 * Gamekeeper cannot be made to send requests to addresses that only its machine can reach (CVE-2024-34068 and GHSA-6rg3-8h8x-5xfv of Wings:
 * downloads from any address, and later by redirects): neither by addresses in requests nor by responses of a vendor or an impostor.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { signedInAdmin, signedInUser } from '../support/http/signed-in-user.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** A server on this machine that must not get any request. */
const inner = await listen((_request, response) => response.end('{"secret":"of the machine"}'));
let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end();
const vendor = await listen((request, response) => answer(request, response));
const gamekeeper = await startGamekeeper(t, { settings: { vendors: { mojang: vendor.base, adoptium: vendor.base } } });

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    handle(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close().closeAllConnections());
  return { asked, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const port = Number(new URL(inner.base).port);
/** Addresses of this machine and of its private networks in various notations. */
const INNER = [
  inner.base,
  `http://localhost:${port}`,
  `http://[::1]:${port}`,
  `http://[::ffff:127.0.0.1]:${port}`,
  `http://0.0.0.0:${port}`,
  `http://127.1:${port}`,
  `http://2130706433:${port}`,
  `http://0x7f.0.0.1:${port}`,
  `https://127.0.0.1:${port}`,
  `https://localhost:${port}`,
  'https://169.254.169.254/latest/meta-data/',
  'http://169.254.169.254/latest/meta-data/',
  'https://[fe80::1]/',
  'https://10.0.0.1/',
  'https://192.168.1.1/',
  'https://[::ffff:10.0.0.1]/',
  `${vendor.base.replace('http://', 'http://user:password@')}/x`,
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'data:application/json,{}',
];

await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'vanilla', version: '1.19.4', acceptEula: true });

/** Returns the console lines about failed starts. */
async function failures(): Promise<string[]> {
  const { body } = await gamekeeper.api<{ lines: string[] }>('GET', '/instances/demo/logs?lines=1000');
  return body.lines.filter((line) => line.includes('could not be started'));
}

/** Starts the server, which sends requests to the vendor. Resolves to the reason why that failed. */
async function failure(): Promise<string> {
  const before = (await failures()).length;
  vendor.asked.length = 0;
  await until(
    'the start is accepted',
    async () => (await gamekeeper.api('POST', '/instances/demo/start')).status === 200,
  );
  const lines = await until('the start has failed', async () => {
    const all = await failures();
    return all.length > before && all;
  });
  return lines.at(-1) ?? '';
}

t.test('redirects to private addresses are not followed', async (t) => {
  for (const location of INNER) {
    answer = (_request, response) => response.writeHead(302, { location }).end();
    const why = await failure();
    t.ok(vendor.asked.length > 0, 'the vendor got a request');
    t.notMatch(why, 'of the machine', location);
  }
  t.same(inner.asked, []);
});

t.test('chains of redirects are limited', async (t) => {
  answer = ({ url = '' }, response) => {
    const hop = Number(new URL(url, 'http://x').searchParams.get('hop') ?? 0);
    response
      .writeHead(307, { location: hop === 3 ? inner.base : `/mc/game/version_manifest_v2.json?hop=${hop + 1}` })
      .end();
  };
  await failure();
  t.equal(vendor.asked.length, 4);
  answer = (_request, response) => response.writeHead(301, { location: '/again' }).end();
  await failure();
  t.ok(vendor.asked.length <= 6, `${vendor.asked.length} times`);
  t.same(inner.asked, []);
});

t.test("private addresses in a vendor's response are refused", async (t) => {
  for (const url of INNER) {
    answer = (_request, response) =>
      response.end(
        JSON.stringify({
          latest: { release: '1.19.4' },
          versions: [{ id: '1.19.4', url, sha1: '0'.repeat(40) }],
        }),
      );
    await failure();
  }
  t.same(inner.asked, []);
});

t.test('endless responses are cut off', async (t) => {
  answer = (_request, response) => {
    const more = () => {
      if (!response.destroyed) response.write('x'.repeat(1024 * 1024), () => setImmediate(more));
    };
    more();
  };
  t.match(await failure(), /sent more than \d+ bytes/);
  t.equal((await gamekeeper.api('GET', '/health')).status, 200);
});

t.test('only administrators in the panel can set addresses', async (t) => {
  const operator = await signedInUser(gamekeeper, { username: 'operator', role: 'operator' });
  const changes = [
    { vendors: { mojang: inner.base } },
    { backups: { stores: [{ name: 'x', kind: 'webdav', url: inner.base }] } },
  ];
  for (const change of changes) {
    t.equal((await operator.api('PUT', '/api/settings', change)).status, 403);
    t.equal((await gamekeeper.api('PUT', '/api/settings', change)).status, 403);
  }
  t.equal((await operator.api('POST', '/api/stores/x/test')).status, 403);
  const admin = await signedInAdmin(gamekeeper);
  for (const url of ['file:///etc', 'gopher://127.0.0.1', 'ftp://127.0.0.1'])
    t.equal(
      (await admin.api('PUT', '/api/settings', { backups: { stores: [{ name: 'x', kind: 'webdav', url }] } })).status,
      400,
      url,
    );
  t.same(inner.asked, []);
});

t.test('other fields do not accept addresses', async (t) => {
  for (const url of INNER) {
    for (const [method, where, body] of [
      ['POST', '/instances', { name: 'X', software: url }],
      ['POST', '/instances', { name: 'X', software: 'demo', url }],
      ['GET', `/software/${encodeURIComponent(url)}/versions`],
      ['GET', `/mods/search?query=${encodeURIComponent(url)}`],
      ['POST', '/instances/import', { url }],
    ] as const) {
      const { status } = await gamekeeper.api(method, where, body);
      t.ok((status >= 400 && status < 500) || (method === 'GET' && status === 200), `${method} ${where}: ${status}`);
    }
    await gamekeeper.api('PATCH', '/instances/demo', { version: url.slice(0, 64) });
  }
  t.same(inner.asked, []);
});
