import t from 'tap';
import { BATCH_HEAD_BYTES, decodeBatches } from '../../../../../shared/contract/console-batch.ts';
import { OpenBatch } from '../../../../../workers/supervisor/console/log/open-batch.ts';

const AT = Date.UTC(2026, 10, 20);

t.test('a sealed batch contains the added lines, encoded and decoded, and the next begins empty', async (t) => {
  const open = new OpenBatch();
  open.add(Buffer.from('one\r\ntwo\r\n'), 2);
  open.add(Buffer.from('three\r\n'), 1);
  t.same([open.count, open.bytes], [3, 17]);
  const { batch, encoded } = open.seal(7, AT);
  t.match(batch, { firstSeq: 7, count: 3, at: AT, skipped: 0 });
  t.same(decodeBatches(encoded), [batch]);
  t.equal(Buffer.from(batch.text).toString(), 'one\r\ntwo\r\nthree\r\n');
  t.same([open.count, open.bytes], [0, 0]);
});

t.test('a sealed batch never changes, and takes little more memory than its text', async (t) => {
  const open = new OpenBatch();
  const sealed = [];
  const sizes = [10, 3_000, 70_000, 66_000, 65_536, 20, 200_000, 66_000, 5_000];
  const line = Buffer.alloc(200_000);
  for (const [index, size] of sizes.entries()) {
    line.fill(index);
    for (let added = 0; added < size; added += 4_000) open.add(line.subarray(0, Math.min(4_000, size - added)), 1);
    sealed.push(open.seal(1, AT));
  }
  for (const [index, { batch, encoded }] of sealed.entries()) {
    t.equal(batch.text.length, sizes[index]);
    t.ok(
      batch.text.every((byte) => byte === index),
      `batch ${index} is unchanged`,
    );
    // Small buffers share a pool of Node.js.
    if (batch.text.length > Buffer.poolSize)
      t.ok(encoded.buffer.byteLength <= (batch.text.length + BATCH_HEAD_BYTES) * 1.34);
  }
});
