import t from 'tap';
import { createPasswordWork } from '../../../../shared/node/passwords/password-work.ts';

/** A cheap hash. */
const CHEAP = 'scrypt$2$1$1$AQEBAQEBAQEBAQEBAQEBAQ$AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE';

const stranger = (group: string) => ({ group, known: false });
const known = (group: string) => ({ group, known: true });
const countOf = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length;

t.test('of a hundred hashes at once one runs, some wait, and the others are refused', async (t) => {
  const work = createPasswordWork();
  const asked = Array.from({ length: 100 }, () => work.check('a guess', CHEAP, stranger('one')));
  const other = work.check('a guess', CHEAP, stranger('another'));
  const results = await Promise.allSettled(asked);
  t.equal(countOf(results), 9, 'one running, eight waiting');
  for (const result of results)
    if (result.status === 'rejected') t.match(result.reason, { code: 'rate_limited', retryAfterSeconds: 5 });
  t.equal(await other, false, 'another group is not blocked');

  const groups = Array.from({ length: 100 }, (_, n) => work.check('x', CHEAP, stranger(`group ${n}`)));
  t.equal(countOf(await Promise.allSettled(groups)), 65, 'the total is limited too');
  t.equal(await work.check('x', CHEAP, stranger('one')), false, 'work continues afterwards');
});

t.test('neither strangers nor known askers block the others', async (t) => {
  for (const [many, one] of [
    [stranger, known],
    [known, stranger],
  ] as const) {
    const work = createPasswordWork();
    let left = 0;
    const flood = Array.from({ length: 60 }, (_, n) => {
      left++;
      return work.check('x', CHEAP, many(`group ${n}`)).finally(() => left--);
    });
    t.equal(await work.check('x', CHEAP, one('me')), false);
    t.ok(left > 50, `${left} of 60 still wait`);
    await Promise.all(flood);
  }
});

t.test('one user has one of the two places, however much is asked', async (t) => {
  const work = createPasswordWork();
  let hashed = 0;
  const flood = Array.from({ length: 8 }, () => work.hash('longer than 8', known('one')).finally(() => hashed++));
  await Promise.all(Array.from({ length: 8 }, (_, n) => work.check('x', CHEAP, stranger(`group ${n}`))));
  t.equal(await work.check('x', CHEAP, known('another')), false);
  t.equal(hashed, 0, 'nobody else waits for it');
  await Promise.all(flood);
});

t.test('a hash that fails frees its place', async (t) => {
  const work = createPasswordWork();
  const broken = Array.from({ length: 6 }, () => work.check('x', 'not a hash', stranger('one')));
  for (const one of broken) await t.rejects(one, { message: /not of the form/ });
  t.match(await work.hash('longer than 8', known('one')), /^scrypt\$/);
});
