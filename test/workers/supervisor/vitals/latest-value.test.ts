import t from 'tap';
import { followConsole } from '../../../../workers/supervisor/console/console-stream.ts';
import { LatestValue } from '../../../../workers/supervisor/vitals/latest-value.ts';

t.test('a follower gets the value at once, then the changes that it has time for', async (t) => {
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

t.test('close ends every stream', async (t) => {
  const value = new LatestValue('a');
  const follower = value.follow(new AbortController().signal);
  await follower.next();
  const last = follower.next();
  value.close();
  t.strictSame(await last, { value: undefined, done: true });
});

t.test('a slow follower gets the newest value and no backlog', async (t) => {
  const listeners = new Set<(batch: Uint8Array) => void>();
  const source = {
    onBatch(listener: (batch: Uint8Array) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const emit = (batch: Uint8Array) => {
    for (const listener of listeners) listener(batch);
  };
  const stop = new AbortController();
  const viewer = followConsole(source, stop.signal);
  const first = viewer.next();
  emit(Buffer.from('first'));
  t.equal(String((await first).value), 'first');
  for (let i = 0; i < 100; i++) emit(Buffer.alloc(64 * 1024, i));
  let bytes = 0;
  let newest: number | undefined;
  emit(Buffer.from('end'));
  for await (const batch of viewer) {
    if (String(batch) === 'end') break;
    bytes += batch.byteLength;
    newest = batch[0];
  }
  t.ok(bytes <= 1024 * 1024);
  t.equal(newest, 99);
  t.equal(listeners.size, 0, 'a viewer that has left is forgotten');
});
