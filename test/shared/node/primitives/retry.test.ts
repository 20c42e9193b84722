import t from 'tap';
import { retry } from '../../../../shared/node/primitives/retry.ts';

const exhausted = () => Object.assign(new Error('too many open files'), { code: 'EMFILE' });

t.test('a failed check is repeated until it succeeds, and reported once', async (t) => {
  const failures: unknown[] = [];
  let looks = 0;
  const look = async () => {
    if (++looks < 3) throw exhausted();
    return false;
  };
  t.equal(await retry(look, { onFailure: (error) => failures.push(error) }), false);
  t.equal(looks, 3);
  t.match(failures, [{ code: 'EMFILE' }]);
});

t.test('checks end when the signal fires', async (t) => {
  const over = new AbortController();
  const look = () => Promise.reject(exhausted());
  t.equal(await retry(look, { onFailure: () => over.abort(), signal: over.signal }), undefined);
});
