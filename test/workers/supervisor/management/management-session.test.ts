import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { LineFeed } from '../../../../workers/supervisor/game/line-feed.ts';
import { ManagementSession } from '../../../../workers/supervisor/management/management-session.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { managementStandIn, SECRET } from '../../../support/stand-ins/management-stand-in.ts';

const JOINED = 'minecraft:notification/players/joined';
const LEFT = 'minecraft:notification/players/left';
const ANNA = { id: '8667ba71-b85a-4004-af54-457a9734eed7', name: 'Anna' };
const BEN = { id: 'f84c6a79-0a4e-45e0-879b-cd49ebd4c4e2', name: 'Ben' };

t.test('reports who is online, who joins and who leaves', async (t) => {
  const server = await managementStandIn(t, { methods: { 'minecraft:players': () => [ANNA] } });
  const { session, told } = sessionWith(t, { port: server.port });
  session.start();
  await until('the players are reported', () => told.length === 1);
  t.same(await session.players(), [{ name: 'Anna', uuid: ANNA.id }]);
  server.notify(JOINED, BEN);
  server.notify('minecraft:notification/server/status', { started: true, players: [ANNA] });
  server.notify(JOINED);
  server.notify(JOINED, 'Carl');
  for (const client of server.clients) client.send('no JSON');
  server.notify(LEFT, ANNA);
  await until('the last change is reported', () => told.length === 3);
  t.same(told, ['all Anna', 'joined Ben', 'left Anna']);
});

t.test('does not offer compression: a small message must not inflate to a large one', async (t) => {
  const server = await managementStandIn(t, { methods: { 'minecraft:players': () => [] } });
  const { session, told } = sessionWith(t, { port: server.port });
  session.start();
  await until('it is connected', () => told.length === 1);
  t.same(
    Array.from(server.clients, ({ extensions }) => extensions),
    [''],
  );
});

t.test('connects again after a lost connection, and calls fail at once until then', async (t) => {
  const port = await freePort();
  const methods = { 'minecraft:players': () => [ANNA] };
  const first = await managementStandIn(t, { port, methods });
  const { session, told, logged } = sessionWith(t, { port });
  const warnings = () => logged.filter((line) => line.startsWith('warn'));
  await t.rejects(session.players(), { reason: 'unavailable', message: /^Not connected/ });
  session.start();
  await until('it is connected', () => told.length === 1);
  const underWay = session.call('minecraft:nothing', [], { timeoutMs: 60_000 });
  await t.rejects(underWay, { reason: 'refused', message: /Method not found/ });
  await first.close();
  await until('the loss is reported', () => told.includes('lost'));
  const began = performance.now();
  await t.rejects(session.players(), { reason: 'unavailable', message: /^Not connected/ });
  t.ok(performance.now() - began < 100, 'calls fail at once');
  await until('an attempt has failed', () => warnings().length > 0);
  await refuseConnections(port, 3);
  const second = await managementStandIn(t, { port, methods });
  await until('it is connected again', () => told.filter((what) => what === 'all Anna').length === 2);
  t.equal(second.clients.size, 1);
  t.equal(warnings().length, 1, 'only the first failed attempt is logged');
});

t.test('a call fails if it is not answered in time or its connection is lost', async (t) => {
  const methods = { 'minecraft:players': () => [], 'minecraft:players/kick': () => undefined };
  const server = await managementStandIn(t, { methods });
  const { session, told } = sessionWith(t, { port: server.port });
  session.start();
  await until('it is connected', () => told.length === 1);
  await t.rejects(session.call('minecraft:players/kick', [], { timeoutMs: 50 }), {
    reason: 'no-answer',
    message: 'minecraft:players/kick was not answered within 0.05 s',
  });
  const underWay = session.call('minecraft:players/kick', [], { timeoutMs: 60_000 });
  await until('the call has arrived', () => server.asked.length === 3);
  for (const client of server.clients) client.terminate();
  await t.rejects(underWay, { reason: 'no-answer', message: /lost/ });
});

t.test('tries a wrong secret again, because the owner may correct it', async (t) => {
  const server = await managementStandIn(t, { methods: { 'minecraft:players': () => [] } });
  const { session, told, logged, write } = sessionWith(t, { port: server.port, secret: 'x'.repeat(40) });
  session.start();
  await until('the connection was refused', () => logged.length === 1);
  t.match(logged, [/^warn cannot connect to the management server.*401/]);
  t.notMatch(logged.join(), /xxxx/);
  write({ port: server.port });
  await until('it is connected', () => told.length === 1);
});

t.test('uses the port that the server printed before it was ready, and no later one', async (t) => {
  const server = await managementStandIn(t, { methods: { 'minecraft:players': () => [] } });
  const { session, told, lines } = sessionWith(t, { port: 0 });
  const say = (text: string) => lines.push(Buffer.from(`[12:00:00] [Server thread/INFO]: ${text}\n`));
  say(`<Eve> Json-RPC Management connection listening on localhost:1`);
  say(`Json-RPC Management connection listening on localhost:${server.port}`);
  lines.push(Buffer.from('Json-RPC Management connection listening on localhost:2\n'));
  session.start();
  say('Json-RPC Management connection listening on localhost:3');
  await until('it is connected', () => told.length === 1);
  t.equal(server.clients.size, 1);
});

t.test('does not connect if the port is unknown', async (t) => {
  const { session, logged } = sessionWith(t, { port: 0 });
  session.start();
  await until('that is logged', () => logged.length === 1);
  t.match(logged, [/did not print its port/]);
});

t.test('with TLS, accepts the certificate of the keystore and no other', async (t) => {
  if (!requireProgram(t, 'keytool', 'openjdk-17-jre-headless')) return;
  const methods = { 'minecraft:players': () => [ANNA] };
  const keystore = (folder: string, name: string) => {
    const file = path.join(folder, name);
    // As described on minecraft.wiki.
    const how =
      '-genkeypair -alias testkey -keyalg RSA -keysize 2048 -storetype PKCS12 -validity 3650 -dname CN=anything';
    execFileSync('keytool', [...how.split(' '), '-keystore', file, '-storepass', 'changeit'], { stdio: 'ignore' });
    return readFileSync(file);
  };
  const { session, told, logged, write, folder } = sessionWith(t, { port: 0 });
  const own = await managementStandIn(t, {
    methods,
    tls: { pfx: keystore(folder, 'own.p12'), passphrase: 'changeit' },
  });
  const other = await managementStandIn(t, {
    methods,
    tls: { pfx: keystore(temporaryFolder(t), 'other.p12'), passphrase: 'changeit' },
  });
  write({ port: other.port, keystore: 'own.p12' });
  session.start();
  await until('the connection was refused', () => logged.length === 1);
  t.match(logged[0], /certificate/i);
  t.same(other.asked, []);
  write({ port: own.port, keystore: 'own.p12' });
  await until('it is connected', () => told.length === 1);
  t.same(told, ['all Anna']);
});

/** Listens on a port and closes each connection, until there were this many. */
async function refuseConnections(port: number, count: number): Promise<void> {
  let refused = 0;
  const server = createServer((socket) => {
    refused++;
    socket.destroy();
  }).listen(port, '127.0.0.1');
  await until(`${count} attempts have failed`, () => refused >= count);
  server.close();
  await once(server, 'close');
}

interface Written {
  port: number;
  secret?: string;
  host?: string;
  keystore?: string;
}

/** Returns a session for a server in a new folder, with what it has reported and logged so far. */
function sessionWith(t: Test, written: Written) {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'server.properties');
  const write = ({ port, secret = SECRET, host = 'localhost', keystore }: Written) => {
    writeFileSync(
      `${file}.new`,
      Object.entries({
        enabled: 'true',
        host,
        port,
        secret,
        'tls-enabled': keystore !== undefined,
        'tls-keystore': keystore ?? '',
        'tls-keystore-password': 'changeit',
      })
        .map(([key, value]) => `management-server-${key}=${value}\n`)
        .join(''),
    );
    renameSync(`${file}.new`, file); // the session must never read half a file
  };
  write(written);
  const lines = new LineFeed();
  const told: string[] = [];
  const logged: string[] = [];
  const session = new ManagementSession({
    folder,
    env: {},
    lines,
    hideSecret: () => undefined,
    log: (level, message, { error } = {}) => logged.push(`${level} ${message} ${error ?? ''}`),
    backOff: { firstMs: 20, maxMs: 50 },
  });
  t.teardown(() => session.close());
  session.onPlayers({
    all: (names) => told.push(`all ${names}`),
    joined: (name) => told.push(`joined ${name}`),
    left: (name) => told.push(`left ${name}`),
    lost: () => told.push('lost'),
  });
  return { session, told, logged, lines, write, folder };
}
