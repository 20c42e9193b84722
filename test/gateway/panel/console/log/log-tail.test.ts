import { mock } from 'node:test';
import t from 'tap';
import { createLogTail } from '../../../../../gateway/panel/src/console/log/log-tail.ts';
import { lines } from '../fake-web-socket.ts';

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
