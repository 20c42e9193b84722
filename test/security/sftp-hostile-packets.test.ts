/** Clients that do not keep to the protocols, before and after they have signed in. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import t from 'tap';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { openSsh } from '../support/sftp/open-ssh.ts';
import { rawPackets } from '../support/sftp/raw-packets.ts';
import { connectSsh } from '../support/sftp/ssh-client.ts';

const STATUS = 101;
const HANDLE = 102;
const gamekeeper = await startGamekeeper(t);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
const folder = path.join(gamekeeper.home, 'instances/demo');
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'file'), 'content');
const { port } = await openSsh(t, gamekeeper);
const admin = { username: 'admin', password: gamekeeper.password };
const server = () => processesOf(gamekeeper.home).find(({ command }) => /workers\/sftp/.test(command))?.pid;
const pid = server();

async function session() {
  const connection = await connectSsh(t, port, admin);
  const channel = await connection.channel();
  const packets = rawPackets(channel);
  await packets.begin();
  return { ...connection, channel, packets };
}

t.test('impossible packets are refused or end the session, and never the server', async (t) => {
  const { packets, client } = await session();
  const statusOf = async (
    type: number,
    ...fields: Parameters<typeof packets.send> extends [number, ...infer F] ? F : never
  ) => {
    packets.send(type, ...fields);
    const answer = await packets.next();
    return answer?.[0] === STATUS ? answer.readUInt32BE(5) : answer?.[0];
  };
  t.equal(await statusOf(99, 1), 8, 'an unknown type');
  t.equal(await statusOf(200, 1, 'no-such@extension'), 8);
  t.equal(await statusOf(200, 1, '__proto__'), 8);
  t.equal(await statusOf(5, 1, 'abcd', 0n, 10), 4, 'a handle that was never given');
  t.equal(await statusOf(5, 1, 'a', 0n, 10), 4);
  t.equal(await statusOf(4, 1, ''), 4);
  t.equal(await statusOf(12, 1, 'abcd'), 4);
  t.equal(await statusOf(3, 1, Buffer.from([0xff, 0xff, 0xff, 0xff])), 5, 'a length beyond the packet');
  t.equal(await statusOf(3), 5, 'no fields');
  t.equal(await statusOf(9, 1, '/demo/file', 0x8000_0000, 0xffff_ffff), 5, 'many attributes that are not there');
  packets.send(3, 1, '/demo/file', 3, 0);
  const answer = await packets.next();
  t.equal(answer?.[0], HANDLE);
  const handle = answer!.subarray(5);
  t.equal(await statusOf(5, 1, handle, 2n ** 63n, 10), 5, 'an offset beyond all files');
  t.equal(await statusOf(5, 1, handle, 2n ** 52n, 10), 1, 'an offset beyond this one');
  t.equal(await statusOf(5, 1, handle, 0n, 0), 5);
  t.equal(await statusOf(6, 1, handle, 2n ** 53n - 1n, 'x'), 0, 'no file can be that large, which is said later');
  t.equal(await statusOf(10, 1, handle, 1, 2n ** 53n - 1n), 4);
  t.equal(await statusOf(12, 1, handle), 4, 'a file is not a folder');
  t.equal(await statusOf(4, 1, handle), 4, 'what could not be written is not published');
  t.equal(await statusOf(4, 1, handle), 4, 'closed twice');
  client.end();

  for (const bytes of [Buffer.alloc(4), Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.from([0, 4, 0, 1])]) {
    const other = await session();
    other.packets.raw(bytes);
    t.equal(await other.packets.next(), undefined, 'a length that no packet has ends the session');
    other.client.end();
  }
  t.equal(readFileSync(path.join(folder, 'file'), 'utf8'), 'content');
  t.equal(server(), pid, 'the server has not been replaced');
});

t.test('open files, channels and requests are limited', async (t) => {
  const { packets, client } = await session();
  for (let count = 0; count < 140; count++) packets.send(3, count, '/demo/file', 1, 0);
  const answers: (number | undefined)[] = [];
  for (let count = 0; count < 140; count++) answers.push((await packets.next())?.[0]);
  t.equal(answers.filter((type) => type === HANDLE).length, 128);
  client.end();

  const many = await connectSsh(t, port, admin);
  const opened = await Promise.allSettled(Array.from({ length: 12 }, () => many.channel()));
  t.equal(opened.filter(({ status }) => status === 'fulfilled').length, 8);
  many.client.end();
  const sessions = await Promise.allSettled(Array.from({ length: 16 }, () => connectSsh(t, port, admin)));
  const more = await Promise.allSettled(Array.from({ length: 16 }, () => connectSsh(t, port, admin)));
  const begun = [...sessions, ...more].filter(({ status }) => status === 'fulfilled').length;
  t.ok(begun <= 24 && begun >= 8, `${begun} sessions of one user`);
});

t.test('strangers cannot choose key exchanges that take long', async (t) => {
  const slow = { kex: ['diffie-hellman-group18-sha512', 'diffie-hellman-group-exchange-sha256'] as const };
  await t.rejects(connectSsh(t, port, { ...admin, algorithms: { kex: [...slow.kex] } }));
});

t.test('only the subsystem exists: no shell, no command, no forwarding', async (t) => {
  const { client } = await until('a session is free', () => connectSsh(t, port, admin).catch(() => undefined));
  await t.rejects(new Promise((resolve, reject) => client.exec('id', (error) => (error ? reject(error) : resolve(0)))));
  await t.rejects(new Promise((resolve, reject) => client.shell((error) => (error ? reject(error) : resolve(0)))));
  await t.rejects(
    new Promise((resolve, reject) =>
      client.forwardOut('127.0.0.1', 1, '127.0.0.1', 22, (error) => (error ? reject(error) : resolve(0))),
    ),
  );
  await t.rejects(
    new Promise((resolve, reject) => client.forwardIn('127.0.0.1', 0, (error) => (error ? reject(error) : resolve(0)))),
  );
});

t.test('strangers who connect and say nothing, or nonsense, do not keep others out for long', async (t) => {
  const silent = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  t.teardown(() => {
    for (const socket of silent) socket.destroy();
  });
  await until('most of them are closed at once', () => silent.filter(({ closed }) => !closed).length <= 16);
  for (const socket of silent) socket.destroy();
  const loud = connect(port, '127.0.0.1').on('error', () => undefined);
  t.teardown(() => loud.destroy());
  loud.resume().write(Buffer.alloc(100_000, 'SSH-2.0-x'));
  await until('nonsense is closed', () => loud.closed);
  const { client } = await until('others can sign in', () => connectSsh(t, port, admin).catch(() => undefined));
  client.end();
  t.equal(server(), pid);
});
