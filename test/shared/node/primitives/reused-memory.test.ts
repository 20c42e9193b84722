import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { ReusedMemory } from '../../../../shared/node/primitives/reused-memory.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

t.test('memory is the same as long as it is large enough and somebody uses it', async (t) => {
  const memory = new ReusedMemory();
  const first = memory.take(100).fill(1);
  t.equal(memory.take(60).buffer, first.buffer);
  t.equal(memory.take(60).length, 60);
  t.not(memory.take(200).buffer, first.buffer);
  const part = memory.take(200).subarray(10, 20);
  await new Promise(setImmediate);
  collect();
  t.equal(memory.take(200).buffer, part.buffer, 'also after a collection');
});
