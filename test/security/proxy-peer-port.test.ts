/** The port at which replicas of the hosted proxy pass requests to each other: whoever could use it would skip every check of a token. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { connect } from 'node:net';
import { SignJWT } from 'jose';
import t, { type Test } from 'tap';
import { type PeerServer, startPeerServer } from '../../gateway/proxy/replicas/peer-server.ts';
import { createPeerTokens } from '../../gateway/proxy/replicas/peer-token.ts';
import { createPeers } from '../../gateway/proxy/replicas/peers.ts';
import { linkedWorld } from '../support/link/linked-world.ts';

const FLOOD = 500;
const key = randomBytes(32);
const tokensOf = (id: string, secret: Uint8Array = key, ahead = 0) =>
  createPeerTokens({ key: secret, id, now: () => Date.now() + ahead });
const HEAD = { ':method': 'GET', ':path': '/', ':scheme': 'https' };

async function serverWith(t: Test, find: Parameters<typeof startPeerServer>[0]['links']['find'] = () => undefined) {
  const server = await startPeerServer({ links: { find }, tokens: tokensOf('here'), host: '127.0.0.1', port: 0 });
  t.teardown(() => server.close());
  return server;
}

/** Resolves to the status of a request with this token. */
async function ask(t: Test, { port }: PeerServer, token: string, daemonId = 'a'): Promise<number | undefined> {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  t.teardown(() => session.destroy());
  const headers = { ...HEAD, 'gamekeeper-peer-token': token, 'gamekeeper-daemon': daemonId };
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

t.test('a flood without a token reaches no daemon, and holds up no replica', async (t) => {
  const { relay, daemonId } = await linkedWorld(t);
  let looks = 0;
  const server = await serverWith(t, (id) => {
    looks++;
    return relay.links.find(id);
  });
  const statuses = await Promise.all(Array.from({ length: FLOOD }, () => ask(t, server, 'a.b.c', daemonId)));
  t.same([...new Set(statuses)], [401]);
  t.equal(looks, 0, 'nobody learns which computers are connected');
  const peers = createPeers(tokensOf('there'));
  t.teardown(() => peers.close());
  const holder = { replicaId: 'here', url: `http://127.0.0.1:${server.port}` };
  const head = { ...HEAD, ':path': '/health', ':authority': new URL(relay.issuer).host };
  const request = { daemonId, headers: head, endStream: true };
  t.equal(await peers.open(holder, request, (stream) => stream.resume()), 'opened');
});
