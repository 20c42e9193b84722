import { Duplex } from 'node:stream';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { WebSocket } from 'ws';
import { FrameMaker } from '../../../gateway/console/frame.ts';
import { createOutlet } from '../../../gateway/console/outlet.ts';

function world() {
  const writes: number[] = [];
  const connection = new Duplex({
    read() {},
    writev(chunks, done) {
      writes.push(chunks.length);
      done();
    },
  });
  const open = { readyState: WebSocket.OPEN, OPEN: WebSocket.OPEN } as WebSocket;
  return { outlet: createOutlet(open, connection, { sentBytes: 0 }), frames: new FrameMaker(), writes };
}

t.test('the frames of one turn of the event loop are one write', async (t) => {
  const { outlet, frames, writes } = world();
  const frame = frames.text('line\r\n');
  for (let count = 0; count < 3; count++) outlet.write(frame);
  t.equal(outlet.waiting, 3 * frame.bytes.length, 'what is gathered counts as waiting');
  await turn();
  outlet.write(frame);
  await turn();
  t.same(writes, [3, 1]);
  t.equal(outlet.sent, 4 * frame.bytes.length);
  t.equal(outlet.waiting, 0);
});

t.test('the frames of a flood are gathered for a moment, up to a size, and nothing small waits for them', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  let now = 0;
  t.intercept(performance, 'now', { value: () => now });
  const { outlet, frames, writes } = world();
  const large = frames.text('x'.repeat(64 * 1024 - 4));
  const writeLarge = async (count: number) => {
    for (let written = 0; written < count; written++) {
      outlet.write(large);
      await turn();
    }
  };
  await writeLarge(1);
  t.same(writes, [1], 'one alone does not wait');
  now = 4;
  await writeLarge(2);
  t.same(writes, [1], 'gathered');
  mock.timers.tick(6);
  t.same(writes, [1, 2], 'written without another frame');
  await writeLarge(5);
  t.same(writes, [1, 2, 4], 'at once when they are enough');
  outlet.write(frames.text('line\r\n'));
  await turn();
  t.same(writes, [1, 2, 4, 2], 'the small one takes along what waits');
  now = 20;
  await writeLarge(1);
  t.same(writes, [1, 2, 4, 2, 1], 'after a pause, the next one does not wait');
});
