import t from 'tap';
import { majorVersion } from '../../../../workers/jobs/runtimes/probe-java.ts';

t.test('a runtime says its version in the old way or the new', async (t) => {
  t.equal(majorVersion('openjdk version "1.8.0_392"'), 8);
  t.equal(majorVersion('openjdk version "17.0.15" 2025-04-15'), 17);
  t.equal(majorVersion('openjdk version "25" 2025-09-16'), 25);
  t.equal(majorVersion('Segmentation fault'), undefined);
});
