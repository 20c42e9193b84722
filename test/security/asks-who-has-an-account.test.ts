/**
 * Signing in tells nobody who has an account or a second factor (GHSA-fg52-xjfc-9rh8 of the Panel: it asked for the second factor of
 * users whose password was wrong), by what it says, by headers, by how long it takes, or by when it has had enough.
 */
import t from 'tap';
import { startGamekeeper } from '../support/gamekeeper.ts';
import { requestJson } from '../support/request-json.ts';
import { signedInAdmin, signedInUser } from '../support/signed-in-user.ts';

const gamekeeper = await startGamekeeper(t);

function tries(username: string, more: object = {}) {
  const body = { username, password: 'wrong, of course', ...more };
  return requestJson<{ code: string }>('POST', new URL('/api/login', gamekeeper.addresses().panel), { body });
}

t.test('nobody, somebody, somebody disabled, with a second factor, with a code: all the same', async (t) => {
  const admin = await signedInAdmin(gamekeeper);
  const ann = await signedInUser(gamekeeper, { username: 'ann', role: 'viewer' });
  await signedInUser(gamekeeper, { username: 'gone', role: 'viewer' });
  await admin.api('PATCH', '/api/users/gone', { disabled: true });
  const begun = await ann.api('POST', '/api/totp', { password: ann.password });
  t.equal(begun.status, 201);

  const answers = [
    await tries('nobody'),
    await tries('admin'),
    await tries('ann'),
    await tries('ann', { totp: '123456' }),
    await tries('gone'),
    await tries('gone', { password: ann.password }),
    await tries("' OR 1=1 --"),
    await tries('x'.repeat(64)),
  ];
  const [nobody] = answers;
  t.equal(nobody?.status, 401);
  for (const { status, body, headers } of answers) {
    t.same({ status, body }, { status: nobody?.status, body: nobody?.body });
    const names = (of: Headers) => [...of.keys()].filter((name) => name !== 'date');
    t.same(names(headers), names(nobody!.headers));
  }
});

t.test('an unknown name takes as long as a known one', async (t) => {
  const median = async (username: (n: number) => string) => {
    const took: number[] = [];
    for (let n = 0; n < 3; n++) {
      const began = performance.now();
      await tries(username(n));
      took.push(performance.now() - began);
    }
    return took.sort((a, b) => a - b)[1]!;
  };
  for (const name of ['bob0', 'bob1', 'bob2']) await signedInUser(gamekeeper, { username: name, role: 'viewer' });
  const known = await median((n) => `bob${n}`);
  const unknown = await median((n) => `eve${n}`);
  // Hashing takes tens of milliseconds, not hashing none: a factor of a hundred, on any machine.
  t.ok(unknown > known / 4 && unknown < known * 4, `known ${known} ms, unknown ${unknown} ms`);
});

t.test("too many failures are too many of anybody's", async (t) => {
  for (const username of ['nobody-else', 'bob0']) {
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) statuses.push((await tries(username)).status);
    t.equal(statuses.at(-1), 429, username);
    t.same(statuses.indexOf(429), username === 'bob0' ? 4 : 5, 'bob0 had one above');
  }
});

t.test('nor do other operations tell', async (t) => {
  for (const where of ['/api/users', '/api/users/admin', '/api/users/nobody', '/api/session', '/api/audit'])
    t.equal((await gamekeeper.api('GET', where, undefined, {})).status, 401, where);
  const viewer = await signedInUser(gamekeeper, { username: 'eve', role: 'viewer' });
  const [there, not] = [await viewer.api('GET', '/api/users/admin'), await viewer.api('GET', '/api/users/nobody')];
  t.same([there.status, not.status], [403, 403]);
  t.same(there.body, not.body);
});
