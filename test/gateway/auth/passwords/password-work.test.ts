import t from 'tap';
import { createPasswordWork } from '../../../../gateway/auth/passwords/password-work.ts';

/** A cheap hash. */
const CHEAP = 'scrypt$2$1$1$AQEBAQEBAQEBAQEBAQEBAQ$AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE';

t.test('of a hundred hashes at once a few run, some wait, and the others are refused', async (t) => {
  const work = createPasswordWork();
  const asked = Array.from({ length: 100 }, () => work.check('a guess', CHEAP, 'one'));
  const other = work.check('a guess', CHEAP, 'another');
  const results = await Promise.allSettled(asked);
  const refused = results.filter((result) => result.status === 'rejected');
  t.equal(results.length - refused.length, 18, 'two running, sixteen waiting');
  for (const { reason } of refused) t.match(reason, { code: 'rate_limited', retryAfterSeconds: 5 });
  t.equal(await other, false, 'another requester is not blocked');

  const many = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => work.check('x', CHEAP, `asker ${n}`)));
  t.equal(many.filter(({ status }) => status === 'fulfilled').length, 66, 'the total is limited too');
  t.equal(await work.check('x', CHEAP, 'one'), false, 'work continues afterwards');
});

t.test('a hash that fails frees its slot', async (t) => {
  const work = createPasswordWork();
  const broken = Array.from({ length: 6 }, () => work.check('x', 'not a hash', 'one'));
  for (const one of broken) await t.rejects(one, { message: /not of the form/ });
  t.match(await work.hash('longer than 8', 'one'), /^scrypt\$/);
});
