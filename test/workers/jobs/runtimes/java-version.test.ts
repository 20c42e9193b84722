import t from 'tap';
import { javaFor } from '../../../../workers/jobs/runtimes/java-for.ts';
import { majorVersion } from '../../../../workers/jobs/runtimes/probe-java.ts';

t.test('the oldest runtime that is new enough is chosen', async (t) => {
  const needs = { 5: '8', 8: '8', 9: '11', 11: '11', 16: '17', 17: '17', 18: '21', 21: '21', 24: '25', 25: '25' };
  for (const [needed, version] of Object.entries(needs)) t.equal(javaFor(Number(needed)), version, needed);
  t.equal(javaFor(26), undefined);
});

t.test('the version of a runtime is parsed in the old and the new format', async (t) => {
  t.equal(majorVersion('openjdk version "1.8.0_392"'), 8);
  t.equal(majorVersion('openjdk version "17.0.15" 2025-04-15'), 17);
  t.equal(majorVersion('openjdk version "25" 2025-09-16'), 25);
  t.equal(majorVersion('Segmentation fault'), undefined);
});
