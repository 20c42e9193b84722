import { mock } from 'node:test';
import t from 'tap';
import { createLogTail } from '../../../../../gateway/panel/src/console/log/log-tail.ts';
import { LogCutShort, readWholeLog } from '../../../../../gateway/panel/src/console/log/whole-log.ts';
import { lines, useFakeWebSocket } from '../fake-web-socket.ts';

t.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
t.afterEach(() => mock.timers.reset());

t.test('lines are announced once a second, without colours', (t) => {
  const tail = createLogTail();
  let changes = 0;
  tail.subscribe(() => changes++);
  tail.add(lines(1, 1));
  tail.add(lines(2, 2));
  mock.timers.tick(999);
  t.same(tail.announced(), []);
  mock.timers.tick(1);
  t.same(tail.announced(), [
    { seq: 1, text: 'line 1' },
    { seq: 2, text: 'line 2' },
  ]);
  t.equal(changes, 1);
  t.end();
});

t.test('of many lines only the newest eight are announced, after the number of skipped ones', (t) => {
  const tail = createLogTail();
  tail.add(lines(1, 50));
  tail.add(lines(51, 100));
  mock.timers.tick(1_000);
  const announced = tail.announced();
  t.same(announced[0], { seq: 92, skipped: 92 });
  t.same(
    announced.slice(1).map(({ seq }) => seq),
    [93, 94, 95, 96, 97, 98, 99, 100],
  );
  t.equal(tail.newest, 100);
  t.end();
});

t.test('keeps at most forty lines', (t) => {
  const tail = createLogTail();
  for (let first = 1; first <= 73; first += 8) {
    tail.add(lines(first, first + 7));
    mock.timers.tick(1_000);
  }
  t.equal(tail.announced().length, 40);
  t.equal(tail.announced().at(-1)?.seq, 80);
  t.end();
});

t.test('lines that a new connection repeats are announced only once', (t) => {
  const tail = createLogTail();
  tail.add(lines(1, 3));
  mock.timers.tick(1_000);
  tail.reconnect();
  tail.add(lines(2, 5));
  mock.timers.tick(1_000);
  t.same(
    tail.announced().map(({ seq }) => seq),
    [1, 2, 3, 4, 5],
  );
  t.end();
});

t.test('a log that was deleted starts again at its first line', (t) => {
  const tail = createLogTail();
  tail.add(lines(1, 3));
  tail.add(lines(1, 1));
  mock.timers.tick(1_000);
  t.equal(tail.newest, 1);
  t.same(
    tail.announced().map(({ seq }) => seq),
    [1, 2, 3, 1],
  );
  t.end();
});

t.test('nothing is announced once nobody listens', (t) => {
  const tail = createLogTail();
  const unsubscribe = tail.subscribe(() => t.fail('called unexpectedly'));
  tail.add(lines(1, 1));
  unsubscribe();
  mock.timers.tick(1_000);
  t.same(tail.announced(), []);
  t.end();
});

t.test('reads the log from its first line up to the given one, without colours', async (t) => {
  const sockets = useFakeWebSocket(t);
  const log = readWholeLog({ instanceId: 'demo', last: 4 });
  t.equal(sockets[0]?.url.searchParams.get('after'), '0');
  sockets[0]?.receive({ lines: lines(1, 2) });
  sockets[0]?.receive({ lines: lines(3, 6) });
  t.equal(await (await log).text(), 'line 1\nline 2\nline 3\nline 4\n');
  t.equal(sockets[0]?.readyState, 3, 'the connection is closed');
});

t.test('lines that were deleted from the log count as read', async (t) => {
  const sockets = useFakeWebSocket(t);
  const log = readWholeLog({ instanceId: 'demo', last: 5 });
  sockets[0]?.receive({ skipped: 3 });
  sockets[0]?.receive({ lines: lines(4, 5) });
  t.equal(await (await log).text(), 'line 4\nline 5\n');
  const empty = readWholeLog({ instanceId: 'demo', last: 3 });
  sockets[1]?.receive({ skipped: 3 });
  t.equal(await (await empty).text(), '', 'an empty log is complete too');
});

t.test('fails if the connection is lost', async (t) => {
  const sockets = useFakeWebSocket(t);
  const log = readWholeLog({ instanceId: 'demo', last: 5 });
  sockets[0]?.receive({ lines: lines(1, 2) });
  sockets[0]?.close();
  await t.rejects(log, LogCutShort);
  mock.timers.tick(60_000);
  t.equal(sockets.length, 1, 'it does not reconnect');
});

t.test('fails after 30 s without a line', async (t) => {
  const sockets = useFakeWebSocket(t);
  const log = readWholeLog({ instanceId: 'demo', last: 5 });
  mock.timers.tick(29_999);
  sockets[0]?.receive({ lines: lines(1, 1) });
  mock.timers.tick(29_999);
  sockets[0]?.receive({ lines: lines(2, 2) });
  mock.timers.tick(30_000);
  await t.rejects(log, LogCutShort);
});
