import t from 'tap';
import {
  diskLevel,
  hostMemoryLevel,
  memoryLevel,
  tpsLevel,
} from '../../../../../gateway/panel/src/ui/display/level.ts';

t.test('ticks, memory and disks turn from good to a warning to danger', (t) => {
  t.same([20, 19.5, 18, 15, 3].map(tpsLevel), ['good', 'good', 'warning', 'danger', 'danger']);
  t.same(
    [1_000, 2_100, 2_300, 3_000].map((used) => memoryLevel(used, 2_048)),
    ['good', 'good', 'warning', 'danger'],
  );
  t.same(
    [0, 80, 90, 99].map((used) => diskLevel(used, 100)),
    ['good', 'good', 'warning', 'danger'],
  );
  t.same(
    [0, 85, 90, 99].map((usedBytes) => hostMemoryLevel({ usedBytes, totalBytes: 100 }, 'linux')),
    ['good', 'good', 'warning', 'danger'],
  );
  t.end();
});

t.test('what is not known raises no alarm', (t) => {
  t.equal(tpsLevel(undefined), 'good');
  t.equal(memoryLevel(undefined, 2_048), 'good');
  t.equal(memoryLevel(900, undefined), 'good');
  t.equal(diskLevel(5, 0), 'good');
  t.equal(hostMemoryLevel({ usedBytes: 5, totalBytes: 0 }, 'linux'), 'good');
  t.equal(hostMemoryLevel({ usedBytes: 99, totalBytes: 100 }, undefined), 'good');
  t.end();
});

t.test('the memory of a Mac is not rated: what counts as used there includes caches', (t) => {
  const full = { usedBytes: 99, totalBytes: 100 };
  t.equal(hostMemoryLevel(full, 'darwin'), 'good');
  t.equal(hostMemoryLevel(full, 'win32'), 'danger');
  t.end();
});
