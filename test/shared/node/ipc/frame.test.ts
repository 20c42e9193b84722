/** Frames are read completely from any split of reads, in reused memory. */
import fc from 'fast-check';
import t from 'tap';
import { encodeFrame, encodeFrameHead, FRAME, type Frame, FrameReader } from '../../../../shared/node/ipc/frame.ts';

/** Passes bytes to a reader like a connection: in reads that fit the free memory and the cuts. */
function read(reader: FrameReader, bytes: Buffer, cuts: readonly number[]): { id: number; text: string }[] {
  const frames: { id: number; text: string }[] = [];
  const take = ({ id, payload }: Frame) => frames.push({ id, text: payload.toString() });
  let cut = 0;
  for (let at = 0; at < bytes.length; ) {
    const most = cuts.length > 0 ? cuts[cut++ % cuts.length]! : bytes.length;
    const length = bytes.copy(reader.free.subarray(0, most), 0, at);
    reader.advance(length, take);
    at += length;
  }
  return frames;
}

t.test('frames arrive complete and in order, however the reads are split', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ maxLength: 20 }), fc.string({ minLength: 3_000, maxLength: 9_000 }))),
      fc.array(fc.integer({ min: 1, max: 6_000 })),
      (texts, cuts) => {
        const frames = texts.map((text, id) => ({ id, text }));
        const bytes = Buffer.concat(frames.map(({ id, text }) => encodeFrame(FRAME.data, id, text)));
        const inOne: { id: number; text: string }[] = [];
        new FrameReader().push(bytes, ({ id, payload }) => inOne.push({ id, text: payload.toString() }));
        const expected = JSON.stringify(frames);
        return JSON.stringify(read(new FrameReader(), bytes, cuts)) === expected && JSON.stringify(inOne) === expected;
      },
    ),
    { numRuns: 200 },
  );
});

t.test('a head and the bytes after it are a frame', async (t) => {
  const payload = Buffer.from('bytes as they are');
  const bytes = Buffer.concat([encodeFrameHead(FRAME.dataBytes, 7, payload.length), payload]);
  const frames: Frame[] = [];
  new FrameReader().push(bytes, (frame) => frames.push({ ...frame, payload: Buffer.from(frame.payload) }));
  t.same(frames, [{ kind: FRAME.dataBytes, id: 7, payload }]);
});

t.test('a flood is read into the same memory', async (t) => {
  const reader = new FrameReader();
  const batch = encodeFrame(FRAME.data, 1, 'x'.repeat(66_000));
  const seen = new Set<ArrayBufferLike>();
  let frames = 0;
  for (let at = 0, sent = 0; sent < 1_000; ) {
    const { free } = reader;
    seen.add(free.buffer);
    // The kernel fills all free memory.
    let length = 0;
    while (length < free.length && sent < 1_000) {
      const copied = batch.copy(free, length, at);
      length += copied;
      at += copied;
      if (at === batch.length) {
        at = 0;
        sent++;
      }
    }
    reader.advance(length, () => frames++);
  }
  t.equal(frames, 1_000);
  t.ok(seen.size < 10, `${seen.size} buffers`);
});

t.test('memory grows for a large frame and shrinks again', async (t) => {
  const reader = new FrameReader();
  t.ok(reader.free.length < 10_000, 'a quiet connection has a small buffer');
  const large = encodeFrame(FRAME.resultBytes, 1, 'x'.repeat(3_000_000));
  t.equal(read(reader, large, [100_000])[0]?.text.length, 3_000_000);
  read(reader, encodeFrame(FRAME.end, 1, ''), []);
  t.ok(reader.free.length <= 512 * 1024, `${reader.free.length} bytes`);
});

t.test('an impossible length is an error', async (t) => {
  for (const length of [0, 4, 64 * 1024 * 1024 + 1, 0xffffffff]) {
    const bytes = Buffer.alloc(9);
    bytes.writeUInt32LE(length);
    t.throws(() => new FrameReader().push(bytes, () => t.fail('a frame was read')), { message: /bad frame length/ });
  }
});
