import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { startDemoServer } from '../../../fixtures/demo-server.ts';

/** The UUID that vanilla gives "Steve" in offline mode. */
const STEVE = '5627dd98-e6be-3c21-b8a8-e92344183641';

t.test('join, chat and leave print exactly what vanilla prints', async (t) => {
  const server = await startDemoServer(t);
  server.type('demo join Steve 203.0.113.9');
  server.type('demo chat Steve hi  there');
  server.type('demo leave Steve');
  await server.waitForLine(/Steve left the game$/);
  const messages = server.lines
    .map((line) => line.slice('[00:00:00] '.length))
    .filter((line) => line.includes('Steve'));
  t.match(messages, [
    new RegExp(`^\\[User Authenticator #1/INFO\\]: UUID of player Steve is ${STEVE}$`),
    /^\[Server thread\/INFO\]: Steve\[\/203\.0\.113\.9:\d{5}\] logged in with entity id 282 at \(8\.5, 65\.0, 8\.5\)$/,
    /^\[Server thread\/INFO\]: Steve joined the game$/,
    /^\[Server thread\/INFO\]: Steve is now online$/,
    /^\[Server thread\/INFO\]: <Steve> hi {2}there$/,
    /^\[Server thread\/INFO\]: Steve lost connection: Disconnected$/,
    /^\[Server thread\/INFO\]: Steve left the game$/,
  ]);
});

t.test('prints an IPv6 address like Java 17', async (t) => {
  const server = await startDemoServer(t);
  server.type('demo join Steve 2001:db8::7:1');
  t.ok(await server.waitForLine(/Steve\[\/\[2001:db8:0:0:0:0:7:1\]:\d{5}\] logged in/));
  server.type('demo join Alex ::1');
  await server.waitForLine(/Alex\[\/\[0:0:0:0:0:0:0:1\]:\d{5}\] logged in/);
});

t.test('kick and ban remove a player; a ban, a full server and a whitelist prevent joining', async (t) => {
  const server = await startDemoServer(t, { properties: { 'max-players': '1' } });
  server.type('demo join Steve');
  server.type('kick steve');
  await server.waitForLine(/Steve lost connection: Kicked by an operator$/);
  await server.waitForLine(/Kicked Steve: Kicked by an operator$/);

  server.type('demo join Steve');
  server.type('demo join Alex');
  await server.waitForLine(/Disconnecting Alex \(\/203\.0\.113\.7:\d+\): The server is full!$/);

  server.type('ban Steve griefing');
  await server.waitForLine(/Steve lost connection: You are banned from this server$/);
  server.type('demo join Steve');
  await server.waitForLine(/Disconnecting Steve \(\/203\.0\.113\.7:\d+\): You are banned from this server\.$/);
  await server.waitForLine(/^Reason: griefing$/);

  server.type('whitelist on');
  server.type('demo join Alex');
  await server.waitForLine(/Disconnecting Alex \(\/203\.0\.113\.7:\d+\): You are not white-listed on this server!$/);

  const bans: unknown = JSON.parse(await readFile(join(server.dir, 'banned-players.json'), 'utf8'));
  t.match(bans, [{ uuid: STEVE, name: 'Steve', source: 'Server', expires: 'forever', reason: 'griefing' }]);
  t.match(await readFile(join(server.dir, 'server.properties'), 'utf8'), /^white-list=true$/m);
});

t.test('players leave when the server stops', async (t) => {
  const server = await startDemoServer(t);
  server.type('demo join Steve');
  await server.waitForLine(/Steve joined the game$/);
  await server.stop();
  t.ok(await server.waitForLine(/Steve lost connection: Server closed$/));
});

t.test('lists survive a restart', async (t) => {
  const server = await startDemoServer(t);
  server.type('op Steve');
  await server.waitForLine(/Made Steve a server operator$/);
  await server.stop();
  const again = await startDemoServer(t, { dir: server.dir });
  again.type('op steve');
  await again.waitForLine(/Nothing changed\. The player already is an operator$/);
  t.match(JSON.parse(await readFile(join(server.dir, 'ops.json'), 'utf8')), [{ uuid: STEVE, name: 'Steve', level: 4 }]);
});
