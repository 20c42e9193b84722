/** Who may send requests to the port for other replicas, and what a replica makes of one that does not answer. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientHttp2Stream, connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { connect, createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { SignJWT } from 'jose';
import t, { type Test } from 'tap';
import { type PeerServer, startPeerServer } from '../../../../gateway/proxy/replicas/peer-server.ts';
import { createPeerTokens } from '../../../../gateway/proxy/replicas/peer-token.ts';
import { createPeers } from '../../../../gateway/proxy/replicas/peers.ts';
import { linkedWorld } from '../../../support/link/linked-world.ts';

/** Shorter than a replica waits for the others. */
const UNREAD_MS = 500;
const key = randomBytes(32);
const tokensOf = (id: string, secret: Uint8Array = key, ahead = 0) =>
  createPeerTokens({ key: secret, id, now: () => Date.now() + ahead });
const request = { daemonId: 'a', headers: { ':method': 'GET', ':path': '/', ':scheme': 'https' }, endStream: true };

async function serverWith(t: Test): Promise<PeerServer> {
  const server = await startPeerServer({
    links: { find: () => undefined },
    tokens: tokensOf('here'),
    host: '127.0.0.1',
    port: 0,
  });
  t.teardown(() => server.close());
  return server;
}

/** Resolves to the status of a request with this token. */
async function ask(t: Test, { port }: PeerServer, token: string): Promise<number | undefined> {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  t.teardown(() => session.destroy());
  const headers = { ...request.headers, 'gamekeeper-peer-token': token, 'gamekeeper-daemon': 'a' };
  const [answer] = (await once(session.request(headers, { endStream: true }), 'response')) as [IncomingHttpHeaders];
  return Number(answer[':status']);
}

t.test('only replicas with the same secret are answered, with a token for this one', async (t) => {
  const server = await serverWith(t);
  t.equal(await ask(t, server, await tokensOf('there').tokenFor('here')), 421, 'it holds no such link');
  const cases: Record<string, string> = {
    none: '',
    nonsense: 'a.b.c',
    'another secret': await tokensOf('there', randomBytes(32)).tokenFor('here'),
    'another replica': await tokensOf('there').tokenFor('elsewhere'),
    'too old': await tokensOf('there', key, -120_000).tokenFor('here'),
    'from the future': await tokensOf('there', key, 120_000).tokenFor('here'),
    'another type': await new SignJWT()
      .setAudience('here')
      .setIssuedAt()
      .setExpirationTime('1m')
      .setProtectedHeader({ alg: 'HS256' })
      .sign(key),
    unsigned: `${Buffer.from('{"alg":"none","typ":"gamekeeper-peer+jwt"}').toString('base64url')}.${Buffer.from('{"aud":"here"}').toString('base64url')}.`,
  };
  for (const [name, token] of Object.entries(cases)) t.equal(await ask(t, server, token), 401, name);
});

t.test('a client that speaks no HTTP/2 does no harm', async (t) => {
  const server = await serverWith(t);
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  socket.resume();
  await once(socket, 'close');
  t.equal(await ask(t, server, await tokensOf('there').tokenFor('here')), 421);
});

t.test('a replica that ends lets the others read what they were sent', async (t) => {
  const { relay, daemonId } = await linkedWorld(t);
  const tokens = tokensOf('here');
  const server = await startPeerServer({ links: relay.links, tokens, host: '127.0.0.1', port: 0 });
  const peers = createPeers(tokensOf('there'));
  t.teardown(() => peers.close());
  // More than the other replica takes before somebody reads it.
  const head = {
    ':method': 'GET',
    ':path': '/openapi.json',
    ':authority': new URL(relay.issuer).host,
    ':scheme': 'http',
  };
  const opened = Promise.withResolvers<ClientHttp2Stream>();
  const holder = { replicaId: 'here', url: `http://127.0.0.1:${server.port}` };
  await peers.open(holder, { daemonId, headers: head, endStream: true }, opened.resolve);
  const answer = (await opened.promise).pause();
  await once(answer, 'response');
  const closed = server.close();
  await Promise.race([once(answer, 'close'), delay(UNREAD_MS)]);
  const body = new PassThrough();
  answer.once('close', () => body.end());
  t.match(JSON.parse(await text(answer.pipe(body))), { openapi: /^3/ });
  await closed;
});

t.test('a replica that is gone, or does not answer, is reported as such', async (t) => {
  const server = await serverWith(t);
  const peers = createPeers(tokensOf('there'));
  t.teardown(() => peers.close());
  const open = (url: string, replicaId = 'here') =>
    peers.open({ replicaId, url }, request, () => t.fail('nothing is opened'));
  t.equal(await open(`http://127.0.0.1:${server.port}`), 'no link');
  await t.rejects(open('http://127.0.0.1:1', 'gone'), { code: 'proxy_unavailable', retryAfterSeconds: 2 });

  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  t.teardown(() => silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const [first, second] = [open(`http://127.0.0.1:${port}`, 'silent'), open(`http://127.0.0.1:${port}`, 'silent')];
  for (const one of [first, second]) await t.rejects(one, { code: 'proxy_unavailable', status: 503 });
});
