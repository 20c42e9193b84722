/** Strangers and account owners against the ports that players connect to. Each address of 127.0.0.0/8 is another visitor here. */
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { claimTunnel } from '../../gateway/proxy/edge/tunnels/claim.ts';
import { createEdges } from '../../gateway/proxy/edge/tunnels/edges.ts';
import { encodeFrame } from '../../shared/node/list-ping/packets.ts';
import { openStatusServer } from '../../shared/node/list-ping/status-server.ts';
import {
  PLAYER_UPGRADE,
  TICKET_HEADER,
  TUNNEL_SUBPROTOCOL,
  TUNNEL_TOKEN,
  tunnelPath,
} from '../../shared/node/tunnel/relay-protocol.ts';
import { proxyHeader } from '../../workers/tunnel/providers/relay/proxy-header.ts';
import { linkToken } from '../support/link/daemon-key.ts';
import { exchange, handshake, tryToJoin } from '../support/machine/game-client.ts';
import { until } from '../support/machine/until.ts';
import { type EdgeWorld, type EdgeWorldOptions, startEdgeWorld } from '../support/proxy/edge-world.ts';
import { SUFFIX } from '../support/proxy/player-proxy.ts';

const HELLO = handshake(2, `friends.${SUFFIX}`);
const ATTACKER = '127.0.0.2';
const FRIEND = '127.0.0.3';
const BALANCER = '127.0.0.4';

interface Fortress {
  world: EdgeWorld;
  /** Everything that reached the game, per connection. */
  reached: Buffer[];
}

/** A game that returns what it gets, behind an edge that tells the addresses of this machine apart. */
async function fortress(
  t: Test,
  limits: EdgeWorldOptions['limits'] = {},
  options: EdgeWorldOptions = {},
): Promise<Fortress> {
  const reached: Buffer[] = [];
  const sockets = new Set<Socket>();
  const game = createServer((player) => {
    sockets.add(player);
    player.on('error', () => undefined);
    player.once('data', (data: Buffer) => reached.push(data));
    player.pipe(player);
  }).listen(0, '127.0.0.1');
  await once(game, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    game.close();
  });
  const world = await startEdgeWorld(t, { groupOf: (address) => address, limits, ...options });
  await world.open('demo', { target: { port: (game.address() as AddressInfo).port }, hostname: 'friends' });
  return { world, reached };
}

async function visit(t: Test, port: number, from: string, bytes: Buffer = HELLO): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
  t.teardown(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'connect').catch(() => undefined);
  return socket;
}

/** Resolves to whether the game has answered. */
async function plays(socket: Socket): Promise<boolean> {
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]).catch(
    () => false,
  );
}

t.test('the port is no open proxy', async (t) => {
  const { world, reached } = await fortress(t);
  const { port } = world.edge;
  const v2 = Buffer.from('0d0a0d0a000d0a515549540a2111000c7f0000017f00000104d263dd', 'hex');
  const strangers = {
    HTTP: Buffer.from('GET http://169.254.169.254/ HTTP/1.1\r\nHost: 169.254.169.254\r\n\r\n'.padEnd(100)),
    CONNECT: Buffer.from('CONNECT 10.0.0.1:22 HTTP/1.1\r\n\r\n'.padEnd(100)),
    SOCKS: Buffer.from([5, 1, 0, 5, 1, 0, 1, 10, 0, 0, 1, 0, 22]),
    TLS: Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, ...Buffer.alloc(600)]),
    SSH: Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'.padEnd(120)),
    'a PROXY header, version 1': Buffer.concat([Buffer.from('PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n'), HELLO, HELLO]),
    'a PROXY header, version 2': Buffer.concat([v2, HELLO]),
    'another domain': handshake(2, 'friends.play.localhost.evil.example'),
    'a name below': handshake(2, `a.friends.${SUFFIX}`),
    'the suffix alone': handshake(2, SUFFIX),
    'an address': handshake(2, '10.0.0.1'),
    'a long name': handshake(2, `${'a'.repeat(1500)}.${SUFFIX}`),
    'a strange name': handshake(2, `friends' OR 1=1 --.${SUFFIX}`),
  };
  for (const [what, bytes] of Object.entries(strangers)) t.equal(await exchange(port, bytes), '', what);
  t.same(reached, [], 'nothing has reached the game');
  t.ok(await plays(await visit(t, port, FRIEND)), 'a player does');
  t.same(reached[0]?.subarray(0, HELLO.length), HELLO);
});

t.test('slow handshakes end after five seconds, and hold back nobody else', async (t) => {
  const { world } = await fortress(t);
  const { port } = world.edge;
  const began = performance.now();
  const slow = await Promise.all(Array.from({ length: 40 }, () => visit(t, port, ATTACKER, HELLO.subarray(0, 1))));
  t.ok(await plays(await visit(t, port, FRIEND)), 'a friend joins meanwhile');
  let byte = 1;
  const drip = setInterval(() => {
    for (const socket of slow)
      if (socket.writable && byte < HELLO.length - 1) socket.write(HELLO.subarray(byte, byte + 1));
    byte++;
  }, 400);
  t.teardown(() => clearInterval(drip));
  await until('they have ended', () => slow.every((socket) => socket.readyState !== 'open' || socket.readableEnded), {
    describe: () => slow.map((socket) => socket.readyState),
  });
  t.ok(performance.now() - began < 15_000);
});

t.test('one visitor cannot lock others out', async (t) => {
  const { world, reached } = await fortress(t, { players: 40 });
  const { port } = world.edge;
  for (let wave = 0; wave < 10; wave++)
    await Promise.all(Array.from({ length: 200 }, () => visit(t, port, ATTACKER, wave % 2 ? Buffer.of(1) : HELLO)));
  t.ok(reached.length > 0 && reached.length <= 20, `${reached.length} of 2,000 connections have reached the game`);
  t.ok(await plays(await visit(t, port, FRIEND)), 'a friend joins');
});

t.test('behind a load balancer, each player counts for themselves', async (t) => {
  const { world, reached } = await fortress(t, {}, { isTrusted: (address) => address === BALANCER });
  const { port } = world.edge;
  const from = (address: string) => proxyHeader({ address, port: 50_000 }, port);
  const arrive = (address: string) => visit(t, port, BALANCER, Buffer.concat([from(address), HELLO]));
  for (let wave = 0; wave < 5; wave++) await Promise.all(Array.from({ length: 100 }, () => arrive('203.0.113.1')));
  for (const friend of ['203.0.113.2', '2001:db8::2']) t.ok(await plays(await arrive(friend)), friend);
  t.ok(reached.length > 2 && reached.length <= 22, `${reached.length} connections have reached the game`);

  const strangers: [what: string, from: string, bytes: Buffer[]][] = [
    ['a header that somebody else sends', ATTACKER, [from(FRIEND), HELLO]],
    ['no header', BALANCER, [HELLO]],
    ['two headers', BALANCER, [from(FRIEND), from(FRIEND), HELLO]],
    ['a header that is too long', BALANCER, [from(FRIEND).subarray(0, 14), Buffer.of(0xff, 0xff)]],
  ];
  for (const [what, address, bytes] of strangers) {
    const socket = visit(t, port, address, Buffer.concat(bytes));
    t.notOk(await plays(await socket), what);
  }
  const slowly = await visit(t, port, BALANCER, from('203.0.113.3').subarray(0, 7));
  for (const part of [from('203.0.113.3').subarray(7), HELLO.subarray(0, 3), HELLO.subarray(3)]) slowly.write(part);
  t.ok(await plays(slowly), 'in pieces');
});

t.test('a flood of questions for the status, each with another version, reaches the server a few times', async (t) => {
  let asked = 0;
  const status = await openStatusServer({
    host: '127.0.0.1',
    port: 0,
    limits: { most: 1_000, mostPerAddress: 1_000, lifetimeMs: 10_000 },
    status: (protocol = 0) => {
      asked++;
      return { version: '1.21', protocol, motd: 'Hi', max: 20, online: 3, sample: [] };
    },
    onLogin: () => ({ message: 'Welcome' }),
  });
  t.teardown(() => status.close());
  const world = await startEdgeWorld(t, { groupOf: (address) => address });
  await world.open('demo', { target: { port: status.port }, hostname: 'friends' });
  const look = async (number: number) => {
    const asking = Buffer.concat([handshake(1, `friends.${SUFFIX}`, number), encodeFrame(0)]);
    const socket = await visit(t, world.edge.port, `127.0.${2 + Math.floor(number / 40)}.1`, asking);
    const isAnswered = await plays(socket);
    socket.destroy();
    return isAnswered;
  };
  const began = performance.now();
  const answered = await Promise.all(Array.from({ length: 400 }, (_, number) => look(number)));
  const seconds = (performance.now() - began) / 1000;
  t.ok(answered.every(Boolean), 'all are answered');
  t.ok(asked <= 16 * (2 + seconds), `${asked} questions in ${seconds} seconds`);
});

t.test('nobody takes the place of a player or a server', async (t) => {
  const { world } = await fortress(t);
  const { url, key } = world;
  const tunnel = `${url}${tunnelPath(key.daemonId, 'demo')}`;
  const status = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const asking = request(tunnel, { headers: { connection: 'Upgrade', upgrade: PLAYER_UPGRADE, ...headers } });
      asking.on('response', ({ statusCode = 0 }) => resolve(statusCode));
      asking.on('upgrade', () => resolve(101));
      asking.on('error', reject);
      asking.end();
    });
  t.equal(await status({}), 409);
  t.equal(await status({ [TICKET_HEADER]: 'x'.repeat(10_000) }), 409);
  for (let attempt = 0; attempt < 50; attempt++)
    t.equal(await status({ [TICKET_HEADER]: randomBytes(16).toString('base64url') }), 409);

  const open = async (token: string) => {
    const socket = new WebSocket(tunnel.replace('http', 'ws'), TUNNEL_SUBPROTOCOL, {
      headers: { authorization: `Bearer ${token}` },
    });
    t.teardown(() => socket.terminate());
    socket.on('error', () => undefined);
    return Promise.race([
      once(socket, 'open').then(() => 101),
      once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode),
    ]);
  };
  const header = { typ: TUNNEL_TOKEN.typ };
  t.equal(await open(await linkToken(key, url, { header })), 401, 'a token for the proxy itself');
  t.equal(await open(await linkToken(key, tunnel)), 401, 'a token for links');
  t.equal(
    await open(await linkToken(key, `${url}${tunnelPath(key.daemonId, 'other')}`, { header })),
    401,
    'of another server',
  );
  t.equal(
    await open(await linkToken(key, tunnel.replace('127.0.0.1', 'edge.example'), { header })),
    401,
    'at another edge',
  );
  const iat = Math.floor(Date.now() / 1000) - 300;
  t.equal(await open(await linkToken(key, tunnel, { header, claims: { iat, exp: iat + 60 } })), 401, 'an old one');
  const good = await linkToken(key, tunnel, { header });
  t.equal(await open(good), 101);
  t.equal(await open(good), 401, 'the same once more');
});

t.test('an account has its limits', async (t) => {
  await t.test('players', async (t) => {
    const { world } = await fortress(t, { players: 2 });
    const { port } = world.edge;
    for (const from of [ATTACKER, FRIEND]) t.ok(await plays(await visit(t, port, from)));
    t.match(await tryToJoin(port, 'Anna', `friends.${SUFFIX}`), /Too many players/);
  });
  await t.test('speed, also on many connections', async (t) => {
    const bytesPerSecond = 1_000_000;
    const { world } = await fortress(t, { bytesPerSecond });
    let bytes = 0;
    for (let number = 0; number < 8; number++) {
      const socket = await visit(t, world.edge.port, FRIEND);
      socket.on('data', (data) => {
        bytes += data.length;
      });
      const flood = () => {
        while (socket.writable && socket.write(Buffer.alloc(65_536)));
      };
      socket.on('drain', flood);
      flood();
    }
    const began = performance.now();
    await until('four megabytes have come back', () => bytes > 4_000_000, { deadlineMs: 60_000 });
    const seconds = (performance.now() - began) / 1000;
    t.ok(bytes / seconds < 2 * bytesPerSecond, `${Math.round(bytes / seconds)} bytes a second, each counted twice`);
  });
  await t.test('traffic of a month', async (t) => {
    const { world } = await fortress(t, { bytesPerMonth: 1_000_000 });
    const player = await visit(t, world.edge.port, FRIEND);
    player.resume();
    const ended = once(player, 'close').catch(() => undefined);
    player.write(Buffer.alloc(1_500_000));
    await ended;
    t.match(await tryToJoin(world.edge.port, 'Anna', `friends.${SUFFIX}`), /used up its traffic/);
  });
  await t.test('servers, also if they are claimed at once', async (t) => {
    const { world } = await fortress(t, { tunnels: 3 });
    const { database, accountId, key } = world;
    const claims = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) =>
        claimTunnel(
          { accountId, daemonId: key.daemonId, instance: `many-${number}`, edition: 'java' },
          { database, edges: createEdges(database, Date.now), now: Date.now },
        ),
      ),
    );
    t.equal(claims.filter(({ status }) => status === 'fulfilled').length, 2);
  });
});

t.test('a suspended server is cut off', async (t) => {
  const { world } = await fortress(t);
  const { edge, tunnels, open } = world;
  const player = await visit(t, edge.port, FRIEND);
  t.ok(await plays(player));
  const ended = once(player.resume(), 'close').catch(() => undefined);
  t.ok(await tunnels.suspend(`friends.${SUFFIX}`, true));
  await edge.review();
  await ended;
  t.match(await tryToJoin(edge.port, 'Anna', `friends.${SUFFIX}`), /suspended/);
  await t.rejects(open('demo', { target: { port: 1 } }), /suspended/);
});

t.test('pings in the name of others do not take the places of players on Bedrock Edition', async (t) => {
  const game = createSocket('udp4', (content, from) => game.send(content, from.port, from.address));
  game.bind(0, '127.0.0.1');
  await once(game, 'listening');
  t.teardown(() => game.close());
  const world = await startEdgeWorld(t, { groupOf: (address) => address, limits: { players: 5 } });
  const { address } = await world.open('bedrock', { target: { port: game.address().port, probe: 'bedrock' } });
  const ping = Buffer.concat([Buffer.of(1), Buffer.alloc(8), Buffer.from('00ffff00fefefefefdfdfdfd12345678', 'hex')]);
  const from = async (host: string) => {
    const socket = createSocket('udp4');
    t.teardown(() => socket.close());
    socket.bind(0, host);
    await once(socket, 'listening');
    return socket;
  };
  const join = async (host: string) => {
    const socket = await from(host);
    for (const content of [ping, Buffer.of(0x84, 1), Buffer.of(0x84, 2)]) {
      const answer = once(socket, 'message');
      // As players do: the port may just have been opened.
      const send = () => socket.send(content, address.port!, '127.0.0.1');
      const again = setInterval(send, 250);
      send();
      await answer.finally(() => clearInterval(again));
    }
    return socket;
  };
  const player = await join(FRIEND);
  for (let number = 0; number < 400; number++) {
    const spoofed = await from(`127.0.${1 + (number >> 8)}.${number & 0xff}`);
    spoofed.send(ping, address.port!, '127.0.0.1');
  }
  const answers: Buffer[] = [];
  player.on('message', (content) => answers.push(content));
  const going = setInterval(() => player.send(Buffer.of(0x84, 3), address.port!, '127.0.0.1'), 250);
  t.teardown(() => clearInterval(going));
  await until('who plays goes on', () => answers.some((content) => content.equals(Buffer.of(0x84, 3))));
  await join('127.0.9.9');
  t.pass('another player joins');
});
