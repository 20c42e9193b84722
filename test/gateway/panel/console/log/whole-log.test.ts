import { mock } from 'node:test';
import t from 'tap';
import { LogCutShort, readWholeLog } from '../../../../../gateway/panel/src/console/log/whole-log.ts';
import { lines, useFakeWebSocket } from '../fake-web-socket.ts';

t.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
t.afterEach(() => mock.timers.reset());

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
