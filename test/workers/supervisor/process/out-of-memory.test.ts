import t from 'tap';
import { OutOfMemoryWatch } from '../../../../workers/supervisor/process/out-of-memory.ts';

/** A machine whose kernel kills as told. */
function machine() {
  let killed = 3;
  return { kill: () => killed++, watch: () => new OutOfMemoryWatch(() => killed) };
}

t.test('a kill of weeks ago is not why a server ends', async (t) => {
  const { kill, watch } = machine();
  const watched = watch();
  kill();
  for (let looks = 0; looks < 2; looks++) watched.look();
  t.equal(watched.end(), false);
});

t.test('one of just now is, looked at meanwhile or not', async (t) => {
  for (const looks of [0, 1]) {
    const { kill, watch } = machine();
    const watched = watch();
    watched.look();
    kill();
    for (let count = 0; count < looks; count++) watched.look();
    t.equal(watched.end(), true);
  }
});
