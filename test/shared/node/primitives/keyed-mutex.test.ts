import t from 'tap';
import { KeyedMutex } from '../../../../shared/node/primitives/keyed-mutex.ts';
import { javaFor } from '../../../../workers/jobs/runtimes/java-for.ts';
import { majorVersion } from '../../../../workers/jobs/runtimes/probe-java.ts';

const NEVER = new AbortController().signal;

t.test('one at a time for each key, in the order of asking', async (t) => {
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
  t.notOk(lock.isTaken('a'), 'nothing is left of it');
});

t.test('who gives up waiting does not hold up those behind, nor let them in early', async (t) => {
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

t.test('the oldest runtime that is new enough is chosen', async (t) => {
  const needs = { 5: '8', 8: '8', 9: '11', 11: '11', 16: '17', 17: '17', 18: '21', 21: '21', 24: '25', 25: '25' };
  for (const [needed, version] of Object.entries(needs)) t.equal(javaFor(Number(needed)), version, needed);
  t.equal(javaFor(26), undefined);
});

t.test('a runtime says its version in the old way or the new', async (t) => {
  t.equal(majorVersion('openjdk version "1.8.0_392"'), 8);
  t.equal(majorVersion('openjdk version "17.0.15" 2025-04-15'), 17);
  t.equal(majorVersion('openjdk version "25" 2025-09-16'), 25);
  t.equal(majorVersion('Segmentation fault'), undefined);
});
