import t from 'tap';
import { javaFor } from '../../../../workers/jobs/runtimes/java-for.ts';

t.test('the oldest runtime that is new enough is chosen', async (t) => {
  const needs = { 5: '8', 8: '8', 9: '11', 11: '11', 16: '17', 17: '17', 18: '21', 21: '21', 24: '25', 25: '25' };
  for (const [needed, version] of Object.entries(needs)) t.equal(javaFor(Number(needed)), version, needed);
  t.equal(javaFor(26), undefined);
});
