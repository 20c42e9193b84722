/** How a replica ends, and what the others make of one that does not answer. Who may use its port: test/security/proxy-peer-port.test.ts. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ClientHttp2Stream } from 'node:http2';
import { createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { type PeerServer, startPeerServer } from '../../../../gateway/proxy/replicas/peer-server.ts';
import { createPeerTokens } from '../../../../gateway/proxy/replicas/peer-token.ts';
import { createPeers } from '../../../../gateway/proxy/replicas/peers.ts';
import { linkedWorld } from '../../../support/link/linked-world.ts';

/** Shorter than a replica waits for the others. */
const UNREAD_MS = 500;
const key = randomBytes(32);
const tokensOf = (id: string) => createPeerTokens({ key, id, now: Date.now });
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
  const late = peers.open(holder, { daemonId, headers: head, endStream: true }, () => t.fail('it takes no more'));
  t.equal(await late, 'not reached');
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
  t.equal(await open('http://127.0.0.1:1', 'gone'), 'not reached');

  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  t.teardown(() => silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const [first, second] = [open(`http://127.0.0.1:${port}`, 'silent'), open(`http://127.0.0.1:${port}`, 'silent')];
  t.same(await Promise.all([first, second]), ['not reached', 'not reached']);
});
