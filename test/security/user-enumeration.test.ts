/**
 * Neither the response of a sign-in nor its duration reveals which users exist and who has a second factor (Panel GHSA-fg52-xjfc-9rh8: the
 * second factor was requested before the password was checked).
 */
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { administrator, newUser, type SignIn, tryToSignIn } from '../support/browser/panel-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('a sign-in without the password reveals nothing', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const admin = await administrator(gamekeeper);
  await newUser(gamekeeper, admin, { username: 'plain', role: 'viewer' });
  const careful = await newUser(gamekeeper, admin, { username: 'careful', role: 'viewer' });
  const begun = await careful.ask<{ secret: string }>('POST', '/api/totp', { password: gamekeeper.password });
  const code = new TOTP({ secret: Secret.fromBase32(begun.body.secret) }).generate();
  t.equal((await careful.ask('POST', '/api/totp', { code })).status, 200);
  await newUser(gamekeeper, admin, { username: 'gone', role: 'viewer' });
  t.equal((await admin.ask('PATCH', '/api/users/gone', { disabled: true })).status, 200);

  /** Everything that could distinguish two responses, except the time and random values. */
  const answerTo = async (proof: SignIn) => {
    const begunAt = performance.now();
    const { status, headers, body } = await tryToSignIn(gamekeeper, proof, { 'x-request-id': 'same' });
    const kept = [...headers].filter(([name]) => name !== 'date');
    return { answer: JSON.stringify([status, kept, body]), took: performance.now() - begunAt };
  };
  const times = new Map<string, number[]>();
  const answers = new Set<string>();
  for (let round = 0; round < 4; round++)
    for (const username of ['plain', 'careful', 'gone', 'nobody', "' OR 1=1 --"])
      for (const totp of round % 2 ? ['000000'] : [undefined]) {
        const { answer, took } = await answerTo({ username, password: 'a guess', ...(totp && { totp }) });
        answers.add(answer);
        times.set(username, [...(times.get(username) ?? []), took]);
      }
  t.equal(answers.size, 1, [...answers].join('\n'));
  const right = await answerTo({ username: 'gone', password: gamekeeper.password });
  t.ok(answers.has(right.answer), 'a disabled user gets the same response with the right password');

  // Checking a password takes about 100 ms and everything else a few, so a sign-in that skips the check would be noticed.
  const fastest = [...times].map(([username, all]) => ({ username, ms: Math.min(...all) }));
  const ms = fastest.map((entry) => entry.ms);
  t.ok(Math.max(...ms) < 3 * Math.min(...ms), JSON.stringify(fastest));

  for (let n = 0; n < 3; n++) await answerTo({ username: 'nobody', password: 'a guess' });
  const locked = await answerTo({ username: 'nobody', password: 'a guess' });
  t.match(locked.answer, /"rate_limited"/, 'a name without a user is rate limited as well');
});
