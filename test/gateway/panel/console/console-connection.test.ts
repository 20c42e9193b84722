import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { connectConsole } from '../../../../gateway/panel/src/console/console-connection.ts';
import { lines, useFakeWebSocket } from './fake-web-socket.ts';

const POLICY_VIOLATION = 1008;

t.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
t.afterEach(() => mock.timers.reset());

function connect(t: Test, from?: number) {
  const sockets = useFakeWebSocket(t);
  const heard: unknown[] = [];
  const connection = connectConsole(from === undefined ? { instanceId: 'a b' } : { instanceId: 'a b', from }, {
    onLines: (received) => heard.push(...received.map(({ seq }) => seq)),
    onUnfinished: (text) => heard.push({ text }),
    onSkipped: (count) => heard.push({ count }),
    onNotice: (notice) => heard.push({ notice }),
    onState: (state) => heard.push(state),
  });
  return { connection, sockets, heard };
}

t.test('a console is opened on the same host, for the last lines or from a given one', (t) => {
  t.equal(connect(t).sockets[0]?.url.href, 'wss://panel.example/ws/instances/a%20b/console?format=json&unfinished=1');
  t.equal(connect(t, 1).sockets[0]?.url.searchParams.get('after'), '0');
  t.end();
});

t.test('each kind of message goes to its handler', (t) => {
  const { sockets, heard } = connect(t);
  sockets[0]?.open();
  for (const message of [{ lines: lines(1, 2) }, { unfinished: '> ' }, { skipped: 3 }, { notice: 'refused' }])
    sockets[0]?.receive(message);
  t.same(heard, ['connecting', 'open', 1, 2, { text: '> ' }, { count: 3 }, { notice: 'refused' }]);
  t.end();
});

t.test('a lost connection resumes after the last line, with growing delays up to 5 s', (t) => {
  const { sockets, heard } = connect(t);
  sockets[0]?.open();
  sockets[0]?.receive({ lines: lines(7, 9) });
  sockets[0]?.close();
  t.equal(heard.at(-1), 'lost');
  for (const [attempt, delay] of [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000].entries()) {
    mock.timers.tick(delay - 1);
    t.equal(sockets.length, attempt + 1, `not before ${delay} ms`);
    mock.timers.tick(1);
    t.equal(sockets.at(-1)?.url.searchParams.get('after'), '9');
    sockets.at(-1)?.close();
  }
  mock.timers.tick(5_000);
  sockets.at(-1)?.open();
  sockets.at(-1)?.close();
  mock.timers.tick(250);
  t.equal(sockets.length, 10, 'after a success the delay is short again');
  t.end();
});

t.test('a console that the user may no longer see is not opened again', (t) => {
  const { sockets, heard } = connect(t);
  sockets[0]?.close(POLICY_VIOLATION);
  mock.timers.tick(60_000);
  t.same(heard, ['connecting', 'ended']);
  t.equal(sockets.length, 1);
  t.end();
});

t.test('a closed connection reports nothing and does not reconnect', (t) => {
  const { connection, sockets, heard } = connect(t);
  connection.close();
  mock.timers.tick(60_000);
  t.same(heard, ['connecting']);
  t.equal(sockets.length, 1);
  t.end();
});

t.test('commands are sent only while connected', (t) => {
  const { connection, sockets } = connect(t);
  t.notOk(connection.send('list'));
  sockets[0]?.open();
  t.ok(connection.send('list'));
  t.same(sockets[0]?.sent, ['list']);
  t.end();
});

t.test('the size is sent as binary data, and again after a reconnect', (t) => {
  const { connection, sockets } = connect(t);
  connection.resize({ columns: 80, rows: 24 });
  t.same(sockets[0]?.sent, []);
  sockets[0]?.open();
  sockets[0]?.close();
  mock.timers.tick(250);
  sockets[1]?.open();
  for (const socket of sockets)
    t.same(socket.sent, [new TextEncoder().encode(JSON.stringify({ columns: 80, rows: 24 }))]);
  t.end();
});
