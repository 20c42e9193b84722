import { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { WebSocket } from 'ws';
import { FrameMaker } from '../../../gateway/console/frame.ts';
import { createOutlet } from '../../../gateway/console/outlet.ts';

t.test('the frames of one turn of the event loop are one write', async (t) => {
  const writes: number[] = [];
  const connection = new Duplex({
    read() {},
    writev(chunks, done) {
      writes.push(chunks.length);
      done();
    },
  });
  const open = { readyState: WebSocket.OPEN, OPEN: WebSocket.OPEN } as WebSocket;
  const traffic = { sentBytes: 0 };
  const outlet = createOutlet(open, connection, traffic);
  const frames = new FrameMaker();
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
