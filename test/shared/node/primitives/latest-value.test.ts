import t from 'tap';
import { LatestValue } from '../../../../shared/node/primitives/latest-value.ts';

t.test('a follower gets the value at once, then the newest value after changes', async (t) => {
  const value = new LatestValue(1);
  const stop = new AbortController();
  const follower = value.follow(stop.signal);
  t.strictSame(await follower.next(), { value: 1, done: false });
  const next = follower.next();
  value.set(2);
  t.strictSame(await next, { value: 2, done: false });
  value.set(3);
  value.set(4);
  t.strictSame(await follower.next(), { value: 4, done: false });
  const last = follower.next();
  stop.abort();
  t.strictSame(await last, { value: undefined, done: true });
});

t.test('close ends all followers', async (t) => {
  const value = new LatestValue('a');
  const follower = value.follow(new AbortController().signal);
  await follower.next();
  const last = follower.next();
  value.close();
  t.strictSame(await last, { value: undefined, done: true });
});
