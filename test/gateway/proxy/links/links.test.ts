import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { performServerHandshake, type ServerHttp2Session } from 'node:http2';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { WebSocketDuplex } from '../../../../shared/node/link/web-socket-duplex.ts';
import { createDaemonKey, type DaemonKey, type LinkTokenParts, linkToken } from '../../../support/link/daemon-key.ts';
import { type RelayServer, startRelayServer } from '../../../support/link/relay-server.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { until } from '../../../support/machine/until.ts';

const SUBPROTOCOL = 'gamekeeper-link.1';

async function proxyWith(t: Test, ...keys: DaemonKey[]): Promise<RelayServer> {
  const relay = await startRelayServer({
    port: await freePort(),
    keys: [],
    daemons: keys.map(({ daemonId, publicKey }) => ({ daemonId, publicKey, accountId: 'account-1', name: 'PC' })),
  });
  t.teardown(() => relay.close());
  return relay;
}

interface Attempt extends LinkTokenParts {
  daemonId?: string;
  token?: string;
  subprotocol?: string;
}

/** Opens a link. Resolves to its socket, or to the refusal. */
async function attempt(
  t: Test,
  { issuer }: RelayServer,
  key: DaemonKey,
  { daemonId = key.daemonId, token, subprotocol = SUBPROTOCOL, ...parts }: Attempt = {},
): Promise<{
  socket: WebSocket;
  session?: ServerHttp2Session;
  status: number;
  body?: { code: string; detail: string };
  retryAfter?: string;
}> {
  const socket = new WebSocket(`${issuer.replace('http', 'ws')}/link/${daemonId}`, subprotocol, {
    headers: { authorization: `Bearer ${token ?? (await linkToken(key, issuer, parts))}` },
    perMessageDeflate: false,
  });
  t.teardown(() => socket.terminate());
  return new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.once('open', () => {
      const session = performServerHandshake(new WebSocketDuplex(socket), {
        settings: { enableConnectProtocol: true },
      });
      session.on('error', () => undefined);
      resolve({ socket, session, status: 101 });
    });
    socket.once('unexpected-response', async (_request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({
        socket,
        status: response.statusCode ?? 0,
        body: JSON.parse(Buffer.concat(chunks).toString()),
        ...(response.headers['retry-after'] && { retryAfter: response.headers['retry-after'] }),
      });
    });
  });
}

t.test('only the key that the daemon registered opens its link, with a token of the right kind', async (t) => {
  const [key, other] = [await createDaemonKey(), await createDaemonKey()];
  const relay = await proxyWith(t, key, other);
  const seconds = Math.floor(Date.now() / 1000);
  const cases: Record<string, Attempt> = {
    "another daemon's key": { token: await linkToken({ ...other, daemonId: key.daemonId }, relay.issuer) },
    "another daemon's token": { token: await linkToken(other, relay.issuer) },
    'another audience': { claims: { aud: 'https://elsewhere.example' } },
    'another type': { header: { typ: 'at+jwt' } },
    'no expiry': { claims: { exp: undefined } },
    'no id': { claims: { jti: undefined } },
    'too long a life': { claims: { exp: seconds + 3_600 } },
    expired: { claims: { iat: seconds - 200, exp: seconds - 140 } },
    'from the future': { claims: { iat: seconds + 200, exp: seconds + 260 } },
    'no token': { token: '' },
    nonsense: { token: 'a.b.c' },
  };
  for (const [name, parts] of Object.entries(cases)) {
    const { status, body } = await attempt(t, relay, key, parts);
    t.equal(status, 401, name);
    t.match(body, { code: 'unauthenticated', detail: /./ }, name);
  }
  const stranger = await createDaemonKey();
  t.match(await attempt(t, relay, stranger), { status: 401, body: { detail: /not linked/ } });
  t.match(await attempt(t, relay, key, { daemonId: 'no-id' }), { status: 400 });
  t.match(await attempt(t, relay, key, { subprotocol: 'gamekeeper-link.2' }), { status: 400 });

  const clock = await attempt(t, relay, key, { claims: { iat: seconds - 200, exp: seconds - 140 } });
  t.match(clock.body, { resolution: /clock/ });
  t.equal(relay.links.count, 0);
});

t.test('a token is good for one time', async (t) => {
  const key = await createDaemonKey();
  const relay = await proxyWith(t, key);
  const token = await linkToken(key, relay.issuer);
  t.equal((await attempt(t, relay, key, { token })).status, 101);
  t.match(await attempt(t, relay, key, { token }), { status: 401, body: { detail: /used before/ } });
});

t.test('the newer link of a daemon replaces the older one', async (t) => {
  const key = await createDaemonKey();
  const relay = await proxyWith(t, key);
  const older = await attempt(t, relay, key);
  await until('the link is open', () => relay.links.count === 1);
  const former = relay.links.find(key.daemonId);
  const closed = once(older.socket, 'close');
  await attempt(t, relay, key);
  t.equal((await closed)[0], 4001);
  t.equal(relay.links.count, 1);
  t.not(relay.links.find(key.daemonId), former);
});

t.test('a removed daemon is disconnected, a message reaches one that is connected', async (t) => {
  const key = await createDaemonKey();
  const relay = await proxyWith(t, key);
  const { socket } = await attempt(t, relay, key);
  await until('the link is open', () => relay.links.count === 1);
  const texts: string[] = [];
  socket.on('message', (data, isBinary) => isBinary || texts.push(String(data)));
  relay.links.tell(randomUUID(), { type: 'grant-revoked', grantId: 'other' });
  relay.links.tell(key.daemonId, { type: 'grant-revoked', grantId: 'mine' });
  await until('the message arrives', () => texts.length > 0);
  t.same(
    texts.map((text) => JSON.parse(text)),
    [{ type: 'grant-revoked', grantId: 'mine' }],
  );
  const closed = once(socket, 'close');
  relay.links.disconnect(key.daemonId);
  t.equal((await closed)[0], 4002);
  await until('the link is gone', () => relay.links.count === 0);
  t.ok(relay.daemons.get(key.daemonId)?.lastSeen);
});

t.test('a proxy that drains has links opened elsewhere, and takes no more', async (t) => {
  const key = await createDaemonKey();
  const relay = await proxyWith(t, key);
  const { socket } = await attempt(t, relay, key);
  await until('the link is open', () => relay.links.count === 1);
  const message = new Promise((resolve) =>
    socket.on('message', (data, isBinary) => isBinary || resolve(JSON.parse(String(data)))),
  );
  relay.links.drain(5_000);
  t.same(await message, { type: 'reconnect', withinMs: 5_000 });
  t.match(await attempt(t, relay, key), { status: 503, retryAfter: '5' });
  t.equal(relay.links.count, 1, 'the present link works on');
  t.notOk(relay.links.isMoving(key.daemonId));
  socket.close();
  await until('the link is gone', () => relay.links.count === 0);
  t.ok(relay.links.isMoving(key.daemonId), 'to another replica');
  t.notOk(relay.links.isMoving(randomUUID()), 'others have just not been here');
});

t.test('a peer that does not speak HTTP/2 is no link', async (t) => {
  const key = await createDaemonKey();
  const relay = await proxyWith(t, key);
  const socket = new WebSocket(`${relay.issuer.replace('http', 'ws')}/link/${key.daemonId}`, SUBPROTOCOL, {
    headers: { authorization: `Bearer ${await linkToken(key, relay.issuer)}` },
  });
  t.teardown(() => socket.terminate());
  await once(socket, 'open');
  socket.send(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
  await once(socket, 'close');
  t.equal(relay.links.count, 0);
});

t.test('attempts from one address are limited', async (t) => {
  const key = await createDaemonKey();
  const at = Date.now();
  const relay = await startRelayServer({ port: await freePort(), keys: [], daemons: [], now: () => at });
  t.teardown(() => relay.close());
  const statuses = await Promise.all(
    Array.from({ length: 400 }, async () => (await attempt(t, relay, key, { token: 'nonsense' })).status),
  );
  t.equal(statuses.filter((status) => status === 401).length, 300);
  t.equal(statuses.filter((status) => status === 429).length, 100);
});

t.test('a daemon that is removed while others connect does not keep them out', async (t) => {
  const [key, other] = [await createDaemonKey(), await createDaemonKey()];
  const relay = await proxyWith(t, key, other);
  const removing = setInterval(() => relay.links.disconnect(other.daemonId), 1);
  t.teardown(() => clearInterval(removing));
  t.match(await attempt(t, relay, key), { status: 101 });
  await until('the link is open', () => relay.links.find(key.daemonId)?.isOpen);
});
