import t from 'tap';
import { followConsole } from '../../../../workers/supervisor/console/console-stream.ts';

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
  t.equal(listeners.size, 0, 'the listener of a viewer that left is removed');
});
