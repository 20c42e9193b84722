import t from 'tap';
import { majorVersion } from '../../../../workers/jobs/runtimes/probe-java.ts';

t.test('the version of a runtime is parsed in the old and the new format', async (t) => {
  t.equal(majorVersion('openjdk version "1.8.0_392"'), 8);
  t.equal(majorVersion('openjdk version "17.0.15" 2025-04-15'), 17);
  t.equal(majorVersion('openjdk version "25" 2025-09-16'), 25);
  t.equal(majorVersion('Segmentation fault'), undefined);
});
