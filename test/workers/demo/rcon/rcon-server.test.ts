import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import t from 'tap';
import { type DemoServer, startDemoServer } from '../../../fixtures/demo-server.ts';
import { rconPacket } from '../../../fixtures/rcon-peer.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';

interface Packet {
  id: number;
  type: number;
  text: string;
}

t.test('answers a login with its id, and a wrong password or a command before the login with -1', async (t) => {
  const server = await startDemoServer(t);
  const client = await connectTo(server);
  client.send(7, 2, 'list');
  t.same(await client.next(), { id: -1, type: 2, text: '' });
  client.send(8, 3, 'wrong');
  t.same(await client.next(), { id: -1, type: 2, text: '' });
  client.send(9, 3, server.password);
  t.same(await client.next(), { id: 9, type: 2, text: '' });
  client.send(10, 2, 'list');
  t.same(await client.next(), { id: 10, type: 0, text: 'There are 0 of a max of 20 players online: ' });
  client.socket.destroy();
  t.ok(await server.waitForLine(/\[RCON Listener #1\/INFO\]: Thread RCON Client \/127\.0\.0\.1 started$/));
  t.ok(
    await server.waitForLine(
      /\[RCON Client \/127\.0\.0\.1 #1\/INFO\]: Thread RCON Client \/127\.0\.0\.1 shutting down$/,
    ),
  );
});

t.test('answers an unknown type with its number in hexadecimal', async (t) => {
  const server = await startDemoServer(t);
  const client = await connectTo(server);
  for (const [type, text] of [
    [100, 'Unknown request 64'],
    [0, 'Unknown request 0'],
    [-1, 'Unknown request ffffffff'],
  ] as const) {
    client.send(5, type, 'whatever');
    t.same(await client.next(), { id: 5, type: 0, text });
  }
});

t.test('cuts answers after 4,096 UTF-16 units, and encodes each piece alone', async (t) => {
  const client = await loggedIn(await startDemoServer(t));
  const lengths = async (command: string): Promise<number[]> => {
    client.send(1, 2, command);
    client.pending = [];
    const pieces: string[] = [];
    for (;;) {
      const { id, text } = await client.next();
      if (id === 2) return pieces.map((piece) => piece.length);
      pieces.push(text);
      if (pieces.length === 1) client.send(2, 100, '');
    }
  };
  t.same(await lengths('demo answer 0'), [0], 'an empty answer is one empty packet');
  t.same(await lengths('say hello'), [0]);
  t.same(await lengths('demo answer 4095'), [4095]);
  t.same(await lengths('demo answer 4096'), [4096], 'no short last piece');
  t.same(await lengths('demo answer 8192 ä'), [4096, 4096], 'counted in UTF-16 units, not bytes');
  t.same(await lengths('demo answer 10000'), [4096, 4096, 1808]);

  client.send(1, 2, 'demo answer 4098 😀a');
  t.equal((await client.next()).text.at(-1), '?', 'half of a surrogate pair is lost, as in Java');
  t.equal((await client.next()).text.at(0), '?');
});

t.test('the messages of one command follow each other without a separator', async (t) => {
  const client = await loggedIn(await startDemoServer(t));
  client.send(1, 2, 'save-all flush');
  t.equal((await client.next()).text, 'Saving the game (this may take a moment!)Saved the game');
  client.send(2, 2, 'nonsense');
  t.equal((await client.next()).text, 'Unknown or incomplete command, see below for errornonsense<--[HERE]');
});

t.test('the log repeats answers of commands that change something, and no others', async (t) => {
  const server = await startDemoServer(t);
  const client = await loggedIn(server);
  for (const command of ['list', 'save-off', 'save-off', 'save-all flush', 'save-on', 'say hi', 'stop']) {
    client.send(1, 2, command);
    await client.next();
  }
  await server.exited;
  t.match(
    server.lines.filter((line) => line.includes('Rcon')),
    [
      /\[Server thread\/INFO\]: \[Rcon: Automatic saving is now disabled\]$/,
      /\[Server thread\/INFO\]: \[Rcon: Saved the game\]$/,
      /\[Server thread\/INFO\]: \[Rcon: Automatic saving is now enabled\]$/,
      /\[Server thread\/INFO\]: \[Rcon\] hi$/,
      /\[Server thread\/INFO\]: \[Rcon: Stopping the server\]$/,
    ],
  );
});

t.test('closes the connection unless each read is exactly one packet', async (t) => {
  const server = await startDemoServer(t);
  const login = rconPacket(1, 3, server.password);
  const dropped: [what: string, bytes: Buffer][] = [
    ['two packets at once', Buffer.concat([login, login])],
    ['half a packet', login.subarray(0, 12)],
    ['a packet with a byte too many', Buffer.concat([login, Buffer.from([0])])],
    ['less than a packet can have', Buffer.from([0, 0, 0, 0])],
    ['more than 1,460 bytes', rconPacket(1, 3, 'x'.repeat(1447))],
    ['something else', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ];
  for (const [what, bytes] of dropped) {
    const client = await connectTo(server);
    client.socket.write(bytes);
    t.same(await client.untilClosed(), [], what);
  }
  const longest = await connectTo(server);
  longest.send(1, 3, 'x'.repeat(1446));
  t.equal((await longest.next()).id, -1, '1,446 bytes of payload are read');
});

t.test('commands that arrive while one runs are read together and close the connection', async (t) => {
  const client = await loggedIn(await startDemoServer(t, { flags: ['--slow-answers', '200'] }));
  client.send(1, 2, 'list');
  client.send(2, 2, 'seed');
  client.send(3, 2, 'list');
  const answers = await client.untilClosed();
  t.ok(answers.length < 3, `${answers.length} of 3 commands were answered`);
});

t.test('delays answers with --slow-answers', async (t) => {
  const client = await loggedIn(await startDemoServer(t, { flags: ['--slow-answers', '150'] }));
  const begun = performance.now();
  client.send(1, 2, 'list');
  await client.next();
  t.ok(performance.now() - begun >= 149);
});

class Client {
  readonly socket: Socket;
  pending: Packet[] = [];
  #bytes = Buffer.alloc(0);
  #closed = false;
  #wake = (): void => {};

  constructor(socket: Socket) {
    this.socket = socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, bytes]);
      while (this.#bytes.length >= 4 && this.#bytes.length >= 4 + this.#bytes.readInt32LE(0)) {
        const end = 4 + this.#bytes.readInt32LE(0);
        const packet = this.#bytes.subarray(0, end);
        this.pending.push({
          id: packet.readInt32LE(4),
          type: packet.readInt32LE(8),
          text: packet.toString('utf8', 12, end - 2),
        });
        this.#bytes = this.#bytes.subarray(end);
      }
      this.#wake();
    });
    socket.on('error', () => {}); // 'close' follows.
    socket.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  send(id: number, type: number, text: string): void {
    this.socket.write(rconPacket(id, type, text));
  }

  async next(): Promise<Packet> {
    for (;;) {
      const packet = this.pending.shift();
      if (packet) return packet;
      if (this.#closed) throw new Error('The server closed RCON');
      await this.#change();
    }
  }

  async untilClosed(): Promise<Packet[]> {
    while (!this.#closed) await this.#change();
    return this.pending;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

async function connectTo(server: DemoServer): Promise<Client> {
  const socket = connect(server.rconPort, '127.0.0.1');
  await once(socket, 'connect');
  return new Client(socket);
}

async function loggedIn(server: DemoServer): Promise<Client> {
  const client = await connectTo(server);
  client.send(0, 3, server.password);
  await client.next();
  return client;
}

const run = promisify(execFile);

t.test('Debian’s rcon client logs in, runs commands and joins long answers', async (t) => {
  if (!requireProgram(t, 'rconclt', 'rcon')) return;
  const server = await startDemoServer(t, { properties: { 'rcon.password': 'hunter2' } });
  const rcon = async (password: string, ...command: string[]): Promise<string> => {
    const { stdout } = await run('rconclt', ['-t', '20', `${password}@127.0.0.1:${server.rconPort}`, ...command]);
    return stdout;
  };
  t.equal(await rcon('hunter2', 'list'), 'There are 0 of a max of 20 players online: \n');
  t.equal(await rcon('hunter2', 'save-all', 'flush'), 'Saving the game (this may take a moment!)Saved the game\n');
  t.equal(await rcon('hunter2', 'demo', 'answer', '10000'), `${'x'.repeat(10_000)}\n`);
  await t.rejects(rcon('wrong', 'list'), { message: /Wrong password/ });
  t.equal(await rcon('hunter2', 'stop'), 'Stopping the server\n');
  t.same(await server.exited, { code: 0, signal: null });
});
