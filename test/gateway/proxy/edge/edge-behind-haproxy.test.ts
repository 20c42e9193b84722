/** Tunnel processes reach the edge through HAProxy with TLS, as docs/proxy/compose.md sets it up, and players as docs/proxy/players.md does. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import t from 'tap';
import { selfSigned } from '../../../support/http/self-signed.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { handshake } from '../../../support/machine/game-client.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { startEdgeWorld } from '../../../support/proxy/edge-world.ts';
import { startConfiguredHaproxy, startHaproxy } from '../../../support/proxy/haproxy.ts';
import { SUFFIX } from '../../../support/proxy/player-proxy.ts';

const PLAYERS_PAGE = path.join(import.meta.dirname, '../../../../docs/proxy/players.md');
const HAPROXY = '127.0.0.1';

t.test('a player gets through in both directions', async (t) => {
  if (!requireProgram(t, 'haproxy', 'haproxy')) return;
  const certificates = temporaryFolder(t);
  const { cert, key } = selfSigned(['localhost']);
  writeFileSync(path.join(certificates, 'edge.pem'), `${cert}${key}`);
  setDefaultCACertificates([...getCACertificates(), cert]);
  const sent = randomBytes(2 ** 24);
  const hello = handshake(2, `friends.${SUFFIX}`);
  const question = createHash('sha256').update(hello).update('question').digest('hex');
  const heard = Promise.withResolvers<string>();
  const game = createServer({ allowHalfOpen: true }, (player) => {
    const hash = createHash('sha256');
    player.on('data', (data: Buffer) => hash.update(data)).once('end', () => heard.resolve(hash.digest('hex')));
    player.end(sent);
  }).listen(0, '127.0.0.1');
  await once(game, 'listening');
  t.teardown(() => game.close());

  const { edge, open } = await startEdgeWorld(t, {
    async front(address) {
      const port = await freePort();
      const url = `https://localhost:${port}`;
      const { host } = new URL(address);
      const env = { LISTEN: `127.0.0.1:${port}`, CERTIFICATES: certificates, PROXY_ONE: host, PROXY_TWO: host };
      await startConfiguredHaproxy(t, url, env);
      return url;
    },
  });
  await open('demo', { target: { port: (game.address() as AddressInfo).port }, hostname: 'friends' });
  const player = connect({ port: edge.port, host: '127.0.0.1', allowHalfOpen: true });
  player.write(hello);
  player.write('question');
  const received: Buffer[] = [];
  for await (const data of player as AsyncIterable<Buffer>) received.push(data);
  player.end(); // TLS proxies end both directions with the first one.
  t.ok(Buffer.concat(received).equals(sent), 'from the game');
  t.equal(await heard.promise, question, 'to the game');
});

t.test('the game learns the addresses of players who come through HAProxy', async (t) => {
  if (!requireProgram(t, 'haproxy', 'haproxy')) return;
  const headers: Buffer[] = [];
  const game = createServer((player) => {
    player.once('data', (data: Buffer) => {
      headers.push(data);
      player.end();
    });
  }).listen(0, '127.0.0.1');
  await once(game, 'listening');
  t.teardown(() => game.close());
  const world = await startEdgeWorld(t, { isTrusted: (address) => address === HAPROXY });
  const { port: target } = game.address() as AddressInfo;
  await world.open('demo', { target: { port: target }, hostname: 'friends', proxyProtocol: true });

  const [, section = ''] = /^```text\n(listen players\n.*?)^```/ms.exec(readFileSync(PLAYERS_PAGE, 'utf8')) ?? [];
  const port = await freePort();
  const players = section
    .replace(' :25565', ` 127.0.0.1:${port}`)
    .replace('10.0.0.1:25565', `${HAPROXY}:${world.edge.port}`);
  t.match(players, `${HAPROXY}:${world.edge.port} send-proxy-v2`, 'the documented section is used');
  await startHaproxy(t, [world.url, world.url], { players });
  for (const [index, localAddress] of ['127.0.0.5', '127.0.0.6'].entries()) {
    const player = connect({ port, host: '127.0.0.1', localAddress });
    await once(player, 'connect');
    const { localPort } = player;
    player.write(handshake(2, `friends.${SUFFIX}`));
    await once(player.resume(), 'close');
    const header = headers[index]!;
    t.equal(header.subarray(16, 20).join('.'), localAddress);
    t.equal(header.readUInt16BE(24), localPort);
  }
  const direct = connect({ port: world.edge.port, host: '127.0.0.1', localAddress: '127.0.0.5' });
  direct.on('error', () => undefined).write(handshake(2, `friends.${SUFFIX}`));
  await once(direct.resume(), 'close');
  t.equal(headers.length, 2, 'who comes past HAProxy does not get in');
});
