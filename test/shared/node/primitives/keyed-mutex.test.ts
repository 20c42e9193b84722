import t from 'tap';
import { KeyedMutex } from '../../../../shared/node/primitives/keyed-mutex.ts';

const NEVER = new AbortController().signal;

t.test('each key has one holder at a time, in the order of the requests', async (t) => {
  const lock = new KeyedMutex();
  const order: string[] = [];
  const first = await lock.take('a', NEVER);
  t.ok(lock.isTaken('a'));
  const second = lock.take('a', NEVER).then((release) => {
    order.push('second');
    release();
  });
  const third = lock.take('a', NEVER).then((release) => {
    order.push('third');
    release();
  });
  const other = await lock.take('b', NEVER);
  order.push('other');
  other();
  first();
  await Promise.all([second, third]);
  t.same(order, ['other', 'second', 'third']);
  await new Promise(setImmediate);
  t.notOk(lock.isTaken('a'), 'the key is free again');
});

t.test('a caller that gives up neither holds up those behind nor lets them in early', async (t) => {
  const lock = new KeyedMutex();
  const first = await lock.take('a', NEVER);
  const controller = new AbortController();
  const impatient = lock.take('a', controller.signal);
  let entered = false;
  const patient = lock.take('a', NEVER).then((release) => {
    entered = true;
    return release;
  });
  controller.abort(new Error('no time'));
  await t.rejects(impatient, { message: 'no time' });
  await new Promise(setImmediate);
  t.notOk(entered);
  first();
  (await patient)();
});
