/** Frames that many sockets send, and their memory. */
import t from 'tap';
import { FrameMaker } from '../../../gateway/console/frame.ts';

t.test('a frame holds its text with a length as in RFC 6455', async (t) => {
  const frames = new FrameMaker();
  const heads: [number, number[]][] = [
    [0, [0x81, 0]],
    [125, [0x81, 125]],
    [126, [0x81, 126, 0, 126]],
    [0xffff, [0x81, 126, 0xff, 0xff]],
    [0x10000, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
  ];
  for (const [length, head] of heads) {
    const { bytes } = frames.text('x'.repeat(length));
    t.same([...bytes.subarray(0, head.length)], head);
    t.equal(Buffer.from(bytes.subarray(head.length)).toString(), 'x'.repeat(length));
  }
  const umlaut = frames.text('ä');
  t.same([...umlaut.bytes], [0x81, 2, 0xc3, 0xa4]);
  t.same([...frames.text(Uint8Array.of(0xc3, 0xa4)).bytes], [...umlaut.bytes], 'bytes give the same frame');
});

t.test('memory is reused after all viewers have sent, and not before', async (t) => {
  const frames = new FrameMaker();
  const text = (letter: string) => frames.text(letter.repeat(60_000));
  const first = text('a');
  first.hold();
  first.hold();
  first.release();
  const second = text('b');
  t.not(second.bytes.buffer, first.bytes.buffer, 'not reused while a sender remains');
  first.release();
  t.equal(text('c').bytes.buffer, first.bytes.buffer);
  t.not(text('d').bytes.buffer, first.bytes.buffer, 'a block is reused only once');
});

t.test('a small frame takes no large block, and free memory is bounded', async (t) => {
  const frames = new FrameMaker();
  const large = frames.text('a'.repeat(200_000));
  large.hold();
  large.release();
  t.not(frames.text('b'.repeat(50_000)).bytes.buffer, large.bytes.buffer);
  t.equal(frames.text('c'.repeat(150_000)).bytes.buffer, large.bytes.buffer);

  const many = Array.from({ length: 100 }, () => frames.text('d'.repeat(60_000)));
  for (const frame of many) frame.hold();
  for (const frame of many) frame.release();
  const known = new Set<ArrayBufferLike>(many.map(({ bytes }) => bytes.buffer));
  const again = Array.from({ length: 100 }, () => frames.text('e'.repeat(60_000)));
  const kept = again.filter(({ bytes }) => known.has(bytes.buffer)).length;
  t.ok(kept > 10 && kept * 60_000 <= 1024 * 1024, `${kept} blocks`);
});
