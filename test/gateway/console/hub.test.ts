/** What viewers who fall behind cost. */
import { mock } from 'node:test';
import t from 'tap';
import { FrameMaker } from '../../../gateway/console/frame.ts';
import { createHub } from '../../../gateway/console/hub.ts';
import type { Outlet } from '../../../gateway/console/outlet.ts';
import { Viewer } from '../../../gateway/console/viewer.ts';
import type { ConsoleBatch, ConsoleSource } from '../../../gateway/services/console.ts';

const MIB = 1024 * 1024;

/** A console of which line `n` is `n`. */
const line = (n: number): ConsoleBatch => ({ firstSeq: n, count: 1, at: 0, skipped: 0, text: Buffer.from(`${n}\r\n`) });

/** A console with one viewer, who keeps up until `fill`. */
async function watched() {
  const frames = new FrameMaker();
  const text = frames.text.bind(frames);
  let made = 0;
  frames.text = (payload) => {
    made++;
    return text(payload);
  };
  const reads: number[] = [];
  let follower: Parameters<ConsoleSource['follow']>[0] | undefined;
  let printed = 0;
  const source: ConsoleSource = {
    follow(given) {
      follower = given;
      return () => undefined;
    },
    async read(query, take) {
      if (!('after' in query)) return take([]);
      const { after } = query;
      reads.push(after);
      return take(Array.from({ length: printed - after }, (_, n) => line(after + 1 + n)));
    },
    send: async () => undefined,
    resize: async () => undefined,
  };
  const hub = createHub({ frames, source, onGone: () => undefined, onEmpty: () => undefined });
  let received = '';
  let waiting = 0;
  let onProgress: () => void = () => undefined;
  const outlet: Outlet = {
    get waiting() {
      return waiting;
    },
    sent: 0,
    write({ bytes }) {
      received += Buffer.from(bytes.subarray(2)).toString();
    },
    until: (bytes) =>
      new Promise((resolve) => {
        onProgress = () => {
          if (waiting <= bytes) resolve();
        };
        onProgress();
      }),
  };
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  };
  hub.join(
    new Viewer({
      ...{ outlet, frames, source, reel: hub.reel('text') },
      view: { format: 'text', after: 0, unfinished: false },
      onFailure(error) {
        throw error;
      },
    }),
  );
  follower?.onOpen();
  await settled();
  return {
    reads,
    received: () => received,
    /** How many frames were built. */
    made: () => made,
    settled,
    print(count: number) {
      for (let n = 0; n < count; n++) follower?.onBatch(line(++printed));
    },
    /** Sets how many bytes are buffered for the viewer. */
    fill(bytes: number) {
      waiting = bytes;
      onProgress();
    },
  };
}

const upTo = (last: number) => Array.from({ length: last }, (_, n) => `${n + 1}\r\n`).join('');

t.test('what has just arrived is not asked for again, also if nobody keeps up', async (t) => {
  const { reads, received, print, fill, settled } = await watched();
  print(3);
  const before = reads.length;
  fill(MIB);
  print(3);
  await settled();
  t.equal(received(), upTo(3));
  fill(0);
  await settled();
  print(1);
  t.equal(received(), upTo(7));
  t.equal(reads.length, before);
});

t.test('live lines are kept for a moment, and for nobody who is far behind', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const { reads, received, made, print, fill, settled } = await watched();
  print(3);
  const before = reads.length;
  fill(MIB);
  print(1);
  t.equal(made(), 4, 'the next line of a viewer who has just fallen behind');
  mock.timers.tick(2_000);
  print(1);
  t.equal(made(), 4, 'of another one, nothing is made');
  fill(0);
  await settled();
  t.equal(received(), upTo(5));
  t.equal(reads.length, before + 1);
});
