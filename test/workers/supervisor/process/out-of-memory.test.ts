import t from 'tap';
import { OutOfMemoryWatch } from '../../../../workers/supervisor/process/out-of-memory.ts';

/** A machine on which the test decides when the kernel kills processes. */
function machine() {
  let killed = 3;
  return { kill: () => killed++, watch: () => new OutOfMemoryWatch(() => killed) };
}

t.test('an old kill does not explain the end of a server', async (t) => {
  const { kill, watch } = machine();
  const watched = watch();
  kill();
  for (let looks = 0; looks < 2; looks++) watched.check();
  t.equal(watched.end(), false);
});

t.test('a recent kill explains it, with or without a check in between', async (t) => {
  for (const looks of [0, 1]) {
    const { kill, watch } = machine();
    const watched = watch();
    watched.check();
    kill();
    for (let count = 0; count < looks; count++) watched.check();
    t.equal(watched.end(), true);
  }
});
