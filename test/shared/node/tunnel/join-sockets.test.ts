import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import t, { type Test } from 'tap';
import { joinSockets } from '../../../../shared/node/tunnel/join-sockets.ts';
import { selfSigned } from '../../../support/http/self-signed.ts';

/** Two ends of a connection; the first one is the client's. */
async function pair(t: Test, server: Server, client: (port: number) => Socket): Promise<[Socket, Socket]> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, server.listenerCount('secureConnection') > 0 ? 'secureConnection' : 'connection');
  const one = client((server.address() as AddressInfo).port);
  const [other] = (await accepted) as [Socket];
  for (const socket of [one, other]) socket.on('error', () => undefined);
  t.teardown(() => {
    one.destroy();
    other.destroy();
    server.close();
  });
  return [one, other];
}

t.test('a connection that breaks ends the other one, also over TLS', async (t) => {
  const { cert, key } = selfSigned();
  const tls = createTlsServer({ cert, key });
  tls.on('secureConnection', () => undefined);
  const [edge, far] = await pair(t, tls, (port) => connectTls({ port, host: '127.0.0.1', ca: cert }));
  const [game, ours] = await pair(t, createServer(), (port) => connect(port, '127.0.0.1'));
  joinSockets(edge, ours);
  far.resume();
  const ended = once(far, 'close');
  game.resetAndDestroy();
  await ended;
  t.ok(edge.destroyed);
});

t.test('what was sent before an end arrives, and the other direction goes on', async (t) => {
  const halfOpen = { allowHalfOpen: true };
  const [player, one] = await pair(t, createServer(halfOpen), (port) =>
    connect({ port, host: '127.0.0.1', ...halfOpen }),
  );
  const [game, other] = await pair(t, createServer(halfOpen), (port) =>
    connect({ port, host: '127.0.0.1', ...halfOpen }),
  );
  joinSockets(one, other);
  player.end('a question');
  t.equal(String((await once(game, 'data'))[0]), 'a question');
  await once(game, 'end');
  game.end('the answer');
  t.equal(String((await once(player, 'data'))[0]), 'the answer');
});
