import { once } from 'node:events';
import { connect } from 'node:net';
import t from 'tap';
import { WebSocket } from 'ws';
import { SCOPES } from '../../../shared/domain/access/scope.ts';
import { openConsole, portOf, refusalOf } from '../../support/console/console-client.ts';
import { isProblem } from '../../support/http/problem.ts';
import { build } from '../../support/processes/gateway-app.ts';
import { instanceConfig } from '../../support/stand-ins/stand-in-daemon.ts';

const PATH = '/ws/instances/demo/console';

t.test('a console is refused before the upgrade: Origin and Host, credentials, scope, instance', async (t) => {
  const world = await build(t);
  const { app, bearer } = world;
  const good = await bearer(['logs:read']);
  const poor = await bearer(['servers:write']);
  const nowhere = '/ws/instances/none/console';
  const foreign = { origin: 'http://evil.example' };
  isProblem(
    t,
    await refusalOf(t, app, { path: nowhere, headers: foreign }),
    'origin_not_allowed',
    'Origin before credentials',
  );
  isProblem(
    t,
    await refusalOf(t, app, { path: nowhere, headers: { host: 'evil.example' } }),
    'origin_not_allowed',
    'Host too',
  );
  isProblem(
    t,
    await refusalOf(t, app, { headers: { ...good, ...foreign } }),
    'origin_not_allowed',
    'with good credentials too',
  );
  isProblem(t, await refusalOf(t, app, { path: nowhere }), 'unauthenticated', 'credentials before the instance');
  isProblem(
    t,
    await refusalOf(t, app, { path: nowhere, headers: poor }),
    'insufficient_scope',
    'scope before the instance',
  );
  isProblem(t, await refusalOf(t, app, { path: nowhere, headers: good }), 'instance_not_found');
  isProblem(t, await refusalOf(t, app, { path: `${PATH}?after=x`, headers: good }), 'invalid_request');
  for (const size of [
    'columns=19&rows=30',
    'columns=501&rows=30',
    'columns=80&rows=4',
    'columns=80&rows=x',
    'columns=80',
  ])
    isProblem(t, await refusalOf(t, app, { path: `${PATH}?${size}`, headers: good }), 'invalid_request', size);
  await openConsole(t, app, { headers: good });
});

t.test('no other path accepts WebSockets, pages included', async (t) => {
  const { app, bearer } = await build(t);
  const headers = await bearer();
  for (const path of ['/', '/ui', '/ui/', '/docs', '/docs/errors', '/openapi.json', '/instances', '/events'])
    isProblem(t, await refusalOf(t, app, { path, headers }), 'invalid_request', path);
  isProblem(t, await refusalOf(t, app, { path: '/nowhere', headers }), 'route_not_found');
});

t.test('a cookie opens a console with the own Origin or without one', async (t) => {
  const { app, cookie } = await build(t);
  const { cookie: jar } = await cookie();
  const port = await portOf(app);
  await openConsole(t, app, { headers: { cookie: jar } });
  await openConsole(t, app, { headers: { cookie: jar, origin: `http://127.0.0.1:${port}` } });
  isProblem(
    t,
    await refusalOf(t, app, { headers: { cookie: jar, origin: 'http://127.0.0.1:1' } }),
    'origin_not_allowed',
    'another port is another site',
  );
});

t.test('a ticket opens one console once within 30 seconds', async (t) => {
  const { app, cookie, bearer, clock, daemon } = await build(t);
  const headers = await cookie();
  const issue = async (auth: Record<string, string> = headers) => {
    const answer = await app.inject({ method: 'POST', url: '/api/instances/demo/console-ticket', headers: auth });
    t.equal(answer.statusCode, 201);
    t.ok(Date.parse(answer.json().expiresAt) > Date.now());
    return `?ticket=${answer.json().ticket}`;
  };
  const ticket = await issue();
  await openConsole(t, app, { path: PATH + ticket });
  isProblem(t, await refusalOf(t, app, { path: PATH + ticket }), 'unauthenticated', 'a second time');
  isProblem(
    t,
    await refusalOf(t, app, { path: `/ws/instances/other/console${await issue()}` }),
    'unauthenticated',
    'another console',
  );
  const late = await issue();
  clock.ahead += 30_001;
  isProblem(t, await refusalOf(t, app, { path: PATH + late }), 'unauthenticated', 'too late');
  isProblem(t, await app.inject({ url: `/instances${await issue()}` }), 'unauthenticated', 'it is no API token');

  const token = await bearer(['logs:read']);
  const revoked = await issue(token);
  daemon.revokeToken({ id: 't1', by: null });
  while ((await app.inject({ url: '/instances', headers: token })).statusCode !== 401) await new Promise(setImmediate);
  isProblem(t, await refusalOf(t, app, { path: PATH + revoked }), 'unauthenticated', 'of a revoked token');
});

t.test('a credential has a limited number of consoles', async (t) => {
  const { app, bearer } = await build(t, { settings: { limits: { socketsPerCredential: 2 } } });
  const headers = await bearer();
  const [first] = [await openConsole(t, app, { headers }), await openConsole(t, app, { headers })];
  isProblem(t, await refusalOf(t, app, { headers }), 'rate_limited');
  await openConsole(t, app, { headers: await bearer() });
  first.socket.close();
  await first.closed();
  await openConsole(t, app, { headers });
});

t.test('a user has a limited number of consoles across all credentials', async (t) => {
  const { app, bearer, cookie, addUser } = await build(t, { settings: { limits: { socketsPerUser: 2 } } });
  await addUser('admin', 'admin');
  await addUser('someone', 'admin');
  const first = await openConsole(t, app, { headers: await bearer([...SCOPES], 'admin') });
  const { cookie: jar } = await cookie('admin');
  await openConsole(t, app, { headers: { cookie: jar } });
  const refused = await refusalOf(t, app, { headers: await bearer(['logs:read'], 'admin') });
  isProblem(t, refused, 'rate_limited');
  t.match(refused.json(), { detail: /by this user/, resolution: /limits\.socketsPerUser/ });
  await openConsole(t, app, { headers: await bearer(['logs:read'], 'someone') });
  first.socket.close();
  await first.closed();
  await openConsole(t, app, { headers: await bearer(['logs:read'], 'admin') });
});

t.test('limits apply to consoles that are opened at the same moment (CVE-2025-69198)', async (t) => {
  const { app, bearer, gateway } = await build(t, { settings: { limits: { socketsPerUser: 3 } } });
  // Each credential is looked up first.
  const all = await Promise.all(Array.from({ length: 20 }, () => bearer()));
  await portOf(app);
  const asked = await Promise.allSettled(all.map((headers) => openConsole(t, app, { headers })));
  t.equal(gateway.sockets.total, 3);
  const opened = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value.socket] : []));
  // A socket accepted beyond the limit is closed before it shows anything.
  while (opened.filter(({ readyState }) => readyState === WebSocket.OPEN).length > 3) await new Promise(setImmediate);
});

t.test("an instance has a limited number of consoles, not counting the local administrator's", async (t) => {
  const { app, bearer, daemon, listener } = await build(t, { settings: { limits: { socketsPerInstance: 2 } } });
  daemon.put(instanceConfig({ id: 'other' }));
  const local = await listener({ local: true });
  await openConsole(t, local);
  const first = await openConsole(t, app, { headers: await bearer() });
  await openConsole(t, app, { headers: await bearer() });
  const refused = await refusalOf(t, app, { headers: await bearer() });
  isProblem(t, refused, 'rate_limited');
  t.match(refused.json(), { detail: /on this instance/, resolution: /limits\.socketsPerInstance/ });
  await openConsole(t, local);
  await openConsole(t, app, { headers: await bearer(), path: '/ws/instances/other/console' });
  first.socket.close();
  await first.closed();
  await openConsole(t, app, { headers: await bearer() });
});

t.test('an invalid WebSocket handshake gets an ErrorResponse', async (t) => {
  const { app, bearer } = await build(t);
  const headers = await bearer();
  isProblem(t, await app.inject({ url: PATH, headers }), 'invalid_request', 'an ordinary request');
  isProblem(
    t,
    await refusalOf(t, app, { path: '/instances', headers }),
    'invalid_request',
    'an upgrade of another route',
  );
  isProblem(t, await refusalOf(t, app, { path: '/nothing', headers }), 'route_not_found', 'an upgrade of nothing');

  const port = await portOf(app);
  const raw = async (text: string) => {
    const socket = connect(port, '127.0.0.1');
    t.teardown(() => socket.destroy());
    socket.write(text);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(socket, 'close');
    const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
    const [status = '', ...lines] = head.split('\r\n');
    return {
      statusCode: Number(status.split(' ')[1]),
      headers: Object.fromEntries(lines.map((line) => line.toLowerCase().split(': '))),
      json: () => JSON.parse(body),
    };
  };
  const handshake = `GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${headers.authorization}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
  isProblem(t, await raw(`${handshake}Sec-WebSocket-Version: 13\r\n\r\n`), 'invalid_request', 'no key');
  isProblem(
    t,
    await raw(`${handshake}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 7\r\n\r\n`),
    'invalid_request',
    'an old version',
  );
  isProblem(t, await raw('NONSENSE\r\n\r\n'), 'invalid_request', 'no HTTP');
  isProblem(
    t,
    await raw(`GET /health HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`),
    'headers_too_large',
    'huge headers',
  );
  isProblem(t, await raw('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'), 'origin_not_allowed', 'no Host');
  const h2c = await raw(
    'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n',
  );
  t.equal(h2c.statusCode, 200, 'another upgrade gets an ordinary response');
});
