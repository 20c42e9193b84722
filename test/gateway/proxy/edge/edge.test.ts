/** Players, an edge of the hosted proxy, the tunnel's own code and a game, over real sockets. */
import { createHash, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import t, { type Test } from 'tap';
import type { TunnelStatus } from '../../../../shared/domain/tunnel/tunnel-status.ts';
import { encodeFrame } from '../../../../shared/node/list-ping/packets.ts';
import { pingServer } from '../../../../shared/node/list-ping/ping-server.ts';
import { openStatusServer } from '../../../../shared/node/list-ping/status-server.ts';
import { createRelayProvider } from '../../../../workers/tunnel/providers/relay/relay-provider.ts';
import { Tunnel } from '../../../../workers/tunnel/tunnel.ts';
import { startDelayedRelay } from '../../../support/machine/delayed-relay.ts';
import { handshake, tryToJoin } from '../../../support/machine/game-client.ts';
import { until } from '../../../support/machine/until.ts';
import { startEdgeWorld } from '../../../support/proxy/edge-world.ts';
import { SUFFIX } from '../../../support/proxy/player-proxy.ts';

const MIB = 2 ** 20;
/** Of the way between the edge and the game. */
const DELAY_MS = 50;
const WITHIN_MS = 5;
const EVERYBODY = { arrives: () => true, beginsHandshake: () => () => undefined, enters: () => () => undefined };
const HELLO = handshake(2, `friends.${SUFFIX}`);

/** A game that hands each player to `serve` after the handshake, which must arrive unchanged. */
async function startGame(t: Test, serve: (player: Socket) => void, before = 0): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (player) => {
    sockets.add(player);
    player.on('error', () => undefined);
    let bytes: Buffer = Buffer.alloc(0);
    const look = (data: Buffer) => {
      bytes = Buffer.concat([bytes, data]);
      if (bytes.length < before + HELLO.length) return;
      player.off('data', look);
      player.pause();
      t.same(bytes.subarray(before, before + HELLO.length), HELLO, 'the handshake is unchanged');
      const rest = bytes.subarray(before + HELLO.length);
      if (rest.length > 0) player.unshift(rest);
      player.emit('header', bytes.subarray(0, before));
      serve(player);
    };
    player.on('data', look);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function join(t: Test, port: number, hello = HELLO): Promise<Socket> {
  const player = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  t.teardown(() => player.destroy());
  player.on('error', () => undefined);
  await once(player, 'connect');
  player.write(hello);
  return player;
}

/** Differs from block to block, so that a lost or swapped one is noticed. */
function* blocks(mib: number): Generator<Buffer> {
  const random = randomBytes(MIB);
  for (let n = 0; n < mib; n++) {
    const block = Buffer.from(random);
    block.writeUInt32BE(n);
    yield block;
  }
}

async function* hashed(source: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}

t.test('1 GiB passes unchanged each way', async (t) => {
  const sent = { down: createHash('sha256'), up: createHash('sha256') };
  const received = { down: createHash('sha256'), up: createHash('sha256') };
  const gameDone = Promise.withResolvers<void>();
  const game = await startGame(t, (player) => {
    pipeline(Readable.from(blocks(1024)), (source) => hashed(source, sent.down), player)
      .then(() => player.resume().pipe(received.up, { end: false }))
      .then(() => once(player, 'end'))
      .then(() => gameDone.resolve(), gameDone.reject);
  });
  const { edge, open } = await startEdgeWorld(t);
  await open('demo', { target: { port: game }, hostname: 'friends' });
  const player = await join(t, edge.port);
  let bytes = 0;
  for await (const chunk of player.iterator({ destroyOnReturn: false })) {
    received.down.update(chunk);
    bytes += chunk.length;
  }
  t.equal(bytes, 1024 * MIB);
  t.equal(received.down.digest('hex'), sent.down.digest('hex'), 'from the game, which then says no more');
  await pipeline(Readable.from(blocks(1024)), (source) => hashed(source, sent.up), player);
  await gameDone.promise;
  t.equal(received.up.digest('hex'), sent.up.digest('hex'), 'to the game');
});

t.test('a player stays when the control link is lost, and a broken connection ends on the other side', async (t) => {
  const inGame: Socket[] = [];
  const game = await startGame(t, (player) => {
    inGame.push(player);
    player.pipe(player);
  });
  const world = await startEdgeWorld(t);
  const opened = await world.open('demo', { target: { port: game }, hostname: 'friends' });
  const player = await join(t, world.edge.port);
  player.write('one');
  t.equal(String((await once(player, 'data'))[0]), 'one');
  await opened.close();
  player.write('two');
  t.equal(String((await once(player, 'data'))[0]), 'two', 'without a control link');

  await world.open('demo', { target: { port: game }, hostname: 'friends' });
  const other = await join(t, world.edge.port);
  other.write('three');
  t.equal(String((await once(other, 'data'))[0]), 'three', 'opened again');
  const broken = [player, other].map((socket) => t.rejects(once(socket, 'close'), { code: 'ECONNRESET' }));
  for (const socket of world.connections) socket.destroy();
  await Promise.all(broken);
  await until('the game has noticed', () => inGame.every((socket) => socket.destroyed || socket.readableEnded));
});

t.test(
  'a transfer goes on without the control link; one that breaks itself fails, and the next one is whole',
  async (t) => {
    const bytes = Buffer.concat([...blocks(64)]);
    const game = await startGame(t, (player) => void player.resume().end(bytes));
    const world = await startEdgeWorld(t);
    let status: TunnelStatus | undefined;
    const tunnel = new Tunnel({
      provider: createRelayProvider({ provider: 'relay', proxyProtocol: false }, world.permit('demo', 'friends')),
      target: { host: '127.0.0.1', port: game, probe: 'java', answers: false },
      onStatus: (now) => {
        status = now;
      },
      onLearned: () => undefined,
    });
    t.teardown(() => tunnel.close());
    const opened = (reconnects: number) =>
      until(
        'it is open',
        () => status?.reconnects === reconnects && !status.error && world.edge.counts().tunnels === 1,
        {
          describe: () => [status, world.edge.counts()],
        },
      );
    /** Destroys the first connections to the edge in the middle of a download. Resolves to how that ended. */
    async function download(broken: number): Promise<{ length: number; code?: string }> {
      const player = await join(t, world.edge.port);
      let length = 0;
      try {
        for await (const chunk of player as AsyncIterable<Buffer>) {
          if (!chunk.equals(bytes.subarray(length, length + chunk.length))) return { length, code: 'other bytes' };
          const isHalf = length < bytes.length / 2 && length + chunk.length >= bytes.length / 2;
          length += chunk.length;
          if (isHalf) for (const socket of [...world.connections].slice(0, broken)) socket.destroy();
        }
      } catch (error) {
        return { length, code: (error as NodeJS.ErrnoException).code ?? '' };
      }
      return { length };
    }

    await opened(0);
    t.same(await download(1), { length: bytes.length }, 'the control link broke');
    await opened(1);
    const broken = await download(Number.POSITIVE_INFINITY);
    t.equal(broken.code, 'ECONNRESET', 'it does not look complete');
    t.ok(broken.length < bytes.length);
    await opened(2);
    t.same(await download(0), { length: bytes.length }, 'the next one');
  },
);

t.test('however many players look at the list, the server is asked once', async (t) => {
  let asked = 0;
  const status = await openStatusServer({
    host: '127.0.0.1',
    port: 0,
    limits: { most: 100, mostPerAddress: 100, lifetimeMs: 10_000 },
    status: (protocol = 0) => {
      asked++;
      return { version: '1.21', protocol, motd: 'Hi', max: 20, online: 3, sample: [] };
    },
    onLogin: () => ({ message: 'Welcome' }),
  });
  t.teardown(() => status.close());
  const { edge, open } = await startEdgeWorld(t, { limits: { players: 1 }, visitors: EVERYBODY });
  const delayed = await startDelayedRelay(t, { to: status.port, delayMs: DELAY_MS });
  await open('demo', { target: { port: delayed }, hostname: 'friends' });
  const look = (number = 0) =>
    pingServer({ host: '127.0.0.1', port: edge.port, name: `friends.${SUFFIX}`, timeoutMs: 10_000 + number });
  const first = await Promise.all(Array.from({ length: 15 }, (_, number) => look(number)));
  for (const { online, max } of first) t.same({ online, max }, { online: 3, max: 20 });
  t.equal(asked, 1);
  t.equal(edge.counts().players, 0);

  let best = Number.POSITIVE_INFINITY;
  // On a busy machine a single one may take longer.
  await until(
    'the latency is that of the whole way',
    async () => {
      best = Math.min(best, (await look()).latencyMs);
      return best <= DELAY_MS + WITHIN_MS;
    },
    { deadlineMs: 60_000, describe: () => `${best} ms` },
  );
  t.ok(best >= DELAY_MS - 1, `${best} ms`);
  await until('what it said is forgotten', async () => {
    await look();
    return asked > 1;
  });

  const other = Buffer.concat([handshake(1, `friends.${SUFFIX}`), encodeFrame(0)]);
  const player = await join(t, edge.port, other);
  const [answer] = await once(player, 'data');
  t.match(String(answer), /"protocol":764/, 'each version gets its own answer');
  player.write(encodeFrame(7));
  await once(player.resume(), 'end');
  t.match(await tryToJoin(edge.port, 'Anna', `friends.${SUFFIX}`), /Welcome/, 'who joins is passed on');
  await status.close();
  await until('that it is away is told at once', async () => (await look()).max === 0);
  t.match(edge.counts().turnedAway, [['offline', Number]]);
});

t.test('the game learns the address of each player if it wants', async (t) => {
  let header: Buffer = Buffer.alloc(0);
  const game = await startGame(
    t,
    (player) => {
      player.end('hello');
    },
    28,
  );
  const { edge, open } = await startEdgeWorld(t);
  await open('demo', { target: { port: game }, hostname: 'friends', proxyProtocol: true });
  const spy = createServer((player) => {
    player.once('data', (data: Buffer) => {
      header = data;
      player.end();
    });
  }).listen(0, '127.0.0.1');
  await once(spy, 'listening');
  t.teardown(() => spy.close());
  const spied = (spy.address() as AddressInfo).port;
  await open('other', { target: { port: spied }, hostname: 'other', proxyProtocol: true });
  const player = await join(t, edge.port);
  t.equal(String((await once(player, 'data'))[0]), 'hello');
  const watched = await join(t, edge.port, handshake(2, `other.${SUFFIX}`));
  const source = (watched.address() as AddressInfo).port;
  await once(watched.resume(), 'end');
  t.equal(header.subarray(0, 20).toString('hex'), '0d0a0d0a000d0a515549540a2111000c7f000001');
  t.equal(header.readUInt16BE(24), source, "the player's own port");
  t.equal(header.readUInt16BE(26), spied);
});

t.test('200 players of Bedrock Edition exchange datagrams', async (t) => {
  const ping = Buffer.concat([
    Buffer.of(1),
    Buffer.alloc(8, 3),
    Buffer.from('00ffff00fefefefefdfdfdfd12345678', 'hex'),
  ]);
  const ports = new Set<number>();
  const game = createSocket('udp4', (content, from) => {
    ports.add(from.port);
    game.send(content, from.port, from.address);
  });
  game.bind(0, '127.0.0.1');
  await once(game, 'listening');
  t.teardown(() => game.close());
  const { edge, open } = await startEdgeWorld(t, { visitors: EVERYBODY });
  const { address } = await open('demo', { target: { port: game.address().port, probe: 'bedrock' } });

  const players = await Promise.all(
    Array.from({ length: 200 }, async (_, number) => {
      const socket = createSocket('udp4');
      t.teardown(() => socket.close());
      socket.connect(address.port!, '127.0.0.1');
      await once(socket, 'connect');
      const received = new Set<number>();
      socket.on('message', (content) => {
        if (content[0] === 0x84 && content.readUInt16BE(1) === number) received.add(content.readUInt16BE(3));
      });
      return { socket, number, received };
    }),
  );
  // A busy machine loses some, as the internet does.
  const answered = new Set<number>();
  for (const { socket, number } of players) socket.once('message', () => answered.add(number));
  await until('each ping is answered', () => {
    for (const { socket, number } of players) if (!answered.has(number)) socket.send(ping);
    return answered.size === 200;
  });
  t.equal(ports.size, 200, 'the game tells them apart');
  let round = 0;
  await until(
    'each has got 20 of its own back',
    () => {
      round += 1;
      for (const { socket, number } of players) {
        const content = Buffer.alloc(100, round);
        content[0] = 0x84;
        content.writeUInt16BE(number, 1);
        content.writeUInt16BE(round, 3);
        socket.send(content);
      }
      return players.every(({ received }) => received.size >= 20);
    },
    { deadlineMs: 60_000, describe: () => players.map(({ received }) => received.size).join(' ') },
  );

  const stranger = createSocket('udp4');
  t.teardown(() => stranger.close());
  const before = ports.size;
  await until('something else is turned away', () => {
    stranger.send('GET / HTTP/1.1', address.port!, '127.0.0.1');
    return edge.counts().turnedAway.length > 0;
  });
  t.equal(ports.size, before, 'the game has not seen it');
  let heard = false;
  stranger.once('message', () => {
    heard = true;
  });
  await until('a ping is answered', () => {
    stranger.send(ping, address.port!, '127.0.0.1');
    return heard;
  });
  t.equal(ports.size, before + 1);
  const { tunnels, players: counted, bytes, turnedAway } = edge.counts();
  t.match([tunnels, counted, turnedAway], [1, 200, [['no-handshake', Number]]], 'what the metrics show');
  t.ok(bytes > 200 * 20 * 100, 'with the bytes of the games');
});
