import { buffer } from 'node:stream/consumers';
import { crc32, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { ParallelDeflate } from '../../../../workers/pool/archive/parallel-deflate.ts';

async function deflate(chunks: Uint8Array[]) {
  const stream = new ParallelDeflate();
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  return { stream, output: await buffer(stream) };
}

t.test('inflating gives the input back, however it is cut, with the right checksum and sizes', async (t) => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 1000 }),
    fc
      .record({ byte: fc.nat(255), length: fc.nat(700_000) })
      .map(({ byte, length }) => new Uint8Array(length).fill(byte)),
    fc
      .record({ text: fc.string({ minLength: 1 }), times: fc.nat(40_000) })
      .map(({ text, times }) => Buffer.from(text.repeat(times))),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (chunks) => {
      const input = Buffer.concat(chunks);
      const { stream, output } = await deflate(chunks);
      t.ok(inflateRawSync(output).equals(input));
      t.equal(stream.crc32, crc32(input));
      t.equal(stream.bytesIn, input.length);
      t.equal(stream.bytesOut, output.length);
    }),
    { numRuns: 40 },
  );
});

t.test('blocks use the data before them as a dictionary, so cutting costs almost nothing', async (t) => {
  const phrase = Buffer.from(Array.from({ length: 30_000 }, (_, n) => (n * 7919 * n) % 251));
  const input = Buffer.concat(Array.from({ length: 40 }, () => phrase));
  const { output } = await deflate([input]);
  t.ok(output.length < phrase.length * 3, `${output.length} bytes for forty times ${phrase.length}`);
});

t.test('empty input gives an empty deflate stream', async (t) => {
  const { output } = await deflate([]);
  t.equal(inflateRawSync(output).length, 0);
});
