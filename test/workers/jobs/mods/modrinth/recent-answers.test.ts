import t from 'tap';
import { createRecentAnswers } from '../../../../../workers/jobs/mods/modrinth/recent-answers.ts';

t.test('the same question is asked once a minute, and again after a failure', async (t) => {
  let now = 0;
  let asked = 0;
  const answers = createRecentAnswers<number>(() => now);
  const ask = async () => ++asked;
  t.equal(await answers('a', ask), 1);
  now = 59_999;
  t.equal(await answers('a', ask), 1);
  t.equal(await answers('b', ask), 2, 'another key is asked separately');
  now = 60_000;
  t.equal(await answers('a', ask), 3);
  const fails = async () => Promise.reject(new Error('away'));
  await t.rejects(answers('c', fails), { message: 'away' });
  t.equal(await answers('c', ask), 4);
});
