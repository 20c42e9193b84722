import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { oneAtATime } from '../../packaging/one-at-a-time.mjs';

t.test('the second caller waits until the first is done, and gets its pid', async (t) => {
  const lock = join(t.testdir(), 'lock');
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = oneAtATime(lock, { work: () => gate.promise.then(() => order.push('first')), onWait: () => {} });
  const second = oneAtATime(lock, {
    work: async () => order.push('second'),
    onWait: (pid) => {
      order.push(`waiting for ${pid}`);
      gate.resolve();
    },
  });
  await Promise.all([first, second]);
  t.same(order, [`waiting for ${process.pid}`, 'first', 'second']);
  t.notOk(existsSync(lock));
});

t.test('the lock of a dead process does not count', async (t) => {
  const lock = join(t.testdir(), 'lock');
  writeFileSync(lock, '4194305'); // One more than the highest process id on Linux.
  t.equal(await oneAtATime(lock, { work: async () => 'done', onWait: () => t.fail('it waited') }), 'done');
});

t.test('failed work leaves no lock behind', async (t) => {
  const lock = join(t.testdir(), 'lock');
  await t.rejects(oneAtATime(lock, { work: () => Promise.reject(new Error('no')), onWait: () => {} }), {
    message: 'no',
  });
  t.notOk(existsSync(lock));
});
