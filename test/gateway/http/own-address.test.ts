import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { createOwnAddress } from '../../../gateway/http/own-address.ts';
import { isProblem } from '../../support/http/problem.ts';
import { build, PASSWORD } from '../../support/processes/gateway-app.ts';

let allowed = {
  allowedHosts: ['Play.Example', 'panel.example:8443'],
  allowedOrigins: ['https://dash.example/'],
};
const own = createOwnAddress({
  allowed: () => allowed,
  ports: () => [25_580, 25_585],
  tls: false,
});

t.test('own hosts are addresses, localhost and allowed hosts', async (t) => {
  for (const host of [
    '127.0.0.1:25580',
    '192.168.1.5',
    '[::1]:25580',
    'localhost',
    'LOCALHOST:1',
    'play.example:99',
    'panel.example:8443',
    'PANEL.EXAMPLE:8443',
    '[::1]',
    '[2001:DB8::7]:25585',
    '[::ffff:127.0.0.1]:25580',
    '0.0.0.0:1',
  ])
    t.ok(own.isOwnHost(host), host);
  for (const host of [
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'panel.example',
    'a b',
    '127.0.0.1:25580@evil',
    'evil@127.0.0.1:25580',
    'localhost@evil.example',
    'localhost.',
    '127.0.0.1.',
    'play.example.',
    '.localhost',
    '::1',
    '[::1',
    '[::1]evil.example',
    '[evil.example]:25580',
    '[fe80::1%25lo]',
    '127.0.0.1:',
    '127.0.0.1:port',
    '127.0.0.1:123456',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    'localhost,evil.example',
    'localhost/evil.example',
    'localhost#',
    ' localhost',
    'loc\u0131lhost',
  ])
    t.notOk(own.isOwnHost(host), String(host));
});

t.test('own origins are pages of this daemon and allowed origins', async (t) => {
  const host = '127.0.0.1:25585';
  for (const origin of ['http://127.0.0.1:25585', 'http://127.0.0.1:25580', 'https://dash.example'])
    t.ok(own.isOwnOrigin(origin, host), origin);
  for (const origin of [
    'null',
    '',
    'http://evil.example',
    'https://127.0.0.1:25585',
    'http://127.0.0.1',
    'http://127.0.0.1:3000',
    'http://localhost:25580',
    'https://dash.example.evil',
  ])
    t.notOk(own.isOwnOrigin(origin, host), origin);
  t.ok(own.isOwnOrigin('http://[::1]:25580', '[::1]:25585'));
});

t.test('a change of the allowed hosts and origins applies at once', async (t) => {
  const before = allowed;
  t.teardown(() => {
    allowed = before;
  });
  t.ok(own.isOwnHost('play.example'));
  allowed = { allowedHosts: ['other.example'], allowedOrigins: ['https://other.example'] };
  t.notOk(own.isOwnHost('play.example'));
  t.ok(own.isOwnHost('other.example'));
  t.notOk(own.isOwnOrigin('https://dash.example', '127.0.0.1'));
  t.ok(own.isOwnOrigin('https://other.example', '127.0.0.1'));
  t.ok(own.isOwnHost('127.0.0.1'));
});

t.test('a foreign Host is refused on every route before anything else', async (t) => {
  const { app } = await build(t);
  for (const url of ['/health', '/instances', '/metrics', '/nothing', '/ui/'])
    isProblem(t, await app.inject({ url, headers: { host: 'evil.example' } }), 'origin_not_allowed', url);
});

t.test('a change needs the own Origin with a cookie, and no Origin with a token', async (t) => {
  const { app, cookie, bearer } = await build(t);
  const { cookie: jar } = await cookie();
  const start = (headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/instances/demo/restart', headers });
  isProblem(t, await start({ cookie: jar }), 'origin_not_allowed', 'without Origin');
  isProblem(t, await start({ cookie: jar, origin: 'http://evil.example' }), 'origin_not_allowed', 'from elsewhere');
  isProblem(t, await start({ cookie: jar, origin: 'null' }), 'origin_not_allowed', 'from a sandbox');
  t.equal((await start({ cookie: jar, origin: 'http://localhost:80' })).statusCode, 200);
  t.equal(
    (await app.inject({ url: '/instances', headers: { cookie: jar } })).statusCode,
    200,
    'reading needs no Origin',
  );
  t.equal((await start({ ...(await bearer()) })).statusCode, 200);
  t.equal(
    (await start({ ...(await bearer()), origin: 'http://evil.example' })).statusCode,
    200,
    'browsers never send a token automatically',
  );
});

t.test('signing in works without Origin, but not with a foreign one', async (t) => {
  const { app, addUser } = await build(t);
  await addUser('admin', 'admin');
  const login = (headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/api/login', headers, payload: { username: 'admin', password: PASSWORD } });
  t.equal((await login({})).statusCode, 200);
  isProblem(t, await login({ origin: 'http://evil.example' }), 'origin_not_allowed');
});

t.test('allowed hosts and origins of the settings work', async (t) => {
  const { app, cookie } = await build(t, {
    settings: { remoteControl: { allowedHosts: ['play.example'], allowedOrigins: ['https://dash.example'] } },
  });
  const { cookie: jar } = await cookie();
  const headers = { cookie: jar, host: 'play.example', origin: 'https://dash.example' };
  t.equal((await app.inject({ method: 'POST', url: '/instances/demo/restart', headers })).statusCode, 200);
});

/** Sends lines with a valid token, then an empty line. Resolves to the status and the error code. */
async function served(t: Test) {
  const world = await build(t);
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = world.app.server.address() as AddressInfo;
  const authorization = `Authorization: ${(await world.bearer()).authorization}`;
  return async (...lines: string[]) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${[...lines, authorization, 'Connection: close'].join('\r\n')}\r\n\r\n`);
    const answer = await text(socket);
    const [, status = ''] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? [];
    return { status: Number(status), code: /errors#(\w+)/.exec(answer)?.[1] };
  };
}

const REFUSED = { status: 403, code: 'origin_not_allowed' };

for (const route of ['/health', '/instances'])
  t.test(`${route} is served only for an own Host`, async (t) => {
    const send = await served(t);
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host: 127.0.0.1'), { status: 200 });
    t.match(await send(`GET ${route} HTTP/1.1`, 'hOST:   LOCALHOST:25580  '), { status: 200 });
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host: [::1]:25580'), { status: 200 });
    t.match(await send(`GET ${route} HTTP/1.1`), REFUSED, 'no Host header');
    t.match(await send(`GET ${route} HTTP/1.0`), REFUSED, 'no Host header, as HTTP/1.0 allows');
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host:'), REFUSED, 'an empty Host header');
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host: evil.example'), REFUSED);
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host: 127.0.0.1', 'Host: evil.example'), REFUSED, 'two Host headers');
    t.match(
      await send(`GET ${route} HTTP/1.1`, 'Host: 127.0.0.1', 'host: 127.0.0.1'),
      REFUSED,
      'the same Host header twice',
    );
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host: 127.0.0.1, evil.example'), REFUSED);
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host: evil.example', 'X-Forwarded-Host: 127.0.0.1'), REFUSED);
    t.match(await send(`GET ${route} HTTP/1.1`, 'Host: evil@127.0.0.1'), REFUSED);
  });

t.test('an absolute request target takes precedence over the Host header', async (t) => {
  const send = await served(t);
  t.match(await send('GET http://127.0.0.1:25580/instances HTTP/1.1', 'Host: 127.0.0.1'), { status: 200 });
  t.match(await send('GET http://127.0.0.1:25580/health HTTP/1.1', 'Host: evil.example'), { status: 200 });
  for (const target of [
    'http://evil.example/instances',
    'HTTP://evil.example/health',
    'https://evil.example',
    'http://127.0.0.1@evil.example/instances',
    'http://evil.example@127.0.0.1/instances',
  ])
    t.match(await send(`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1'), REFUSED, target);
  for (const target of [
    'http:///instances',
    'http://evil.example#127.0.0.1/instances',
    'ftp://127.0.0.1/instances',
    '*instances',
  ])
    t.match(await send(`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1'), { status: 400, code: 'invalid_request' }, target);
  t.match(await send('OPTIONS * HTTP/1.1', 'Host: evil.example'), REFUSED);
  t.match(await send('OPTIONS * HTTP/1.1', 'Host: 127.0.0.1'), { status: 404 });
});
