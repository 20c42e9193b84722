/** Accounts, sessions and sign-in, on both databases. */
import t from 'tap';
import { type Account, createAccounts } from '../../../../gateway/proxy/accounts/accounts.ts';
import { createSecondFactors } from '../../../../gateway/proxy/accounts/second-factors/second-factors.ts';
import { createSessions } from '../../../../gateway/proxy/accounts/sessions/sessions.ts';
import { createSignIn } from '../../../../gateway/proxy/accounts/sign-in/sign-in.ts';
import { hashPassword } from '../../../../shared/node/passwords/password-hash.ts';
import { createPasswordWork } from '../../../../shared/node/passwords/password-work.ts';
import { withEachDatabase } from '../../../support/proxy/proxy-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const FROM = { userAgent: 'Firefox/140', address: '203.0.113.7' };

withEachDatabase(t, async (t, store) => {
  const { clock, database } = store;
  const accounts = createAccounts(database, store.now);
  const sessions = createSessions(store);
  const passwordHash = await hashPassword('correct horse');
  const anna = await accounts.add({ name: 'Anna', passwordHash, isAdmin: false });
  const ben = await accounts.add({ name: 'ben', passwordHash, isAdmin: false });
  const begin = async (account: Account) => (await sessions.begin({ account, ...FROM })) ?? '';

  await t.test('a name is taken in any case, also at once', async (t) => {
    const added = await Promise.allSettled(
      ['Cara', 'cara', 'CARA'].map((name) => accounts.add({ name, passwordHash, isAdmin: false })),
    );
    t.equal(added.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const one of added) if (one.status === 'rejected') t.match(one.reason, { code: 'user_exists' });
    t.equal((await accounts.findByName('ANNA'))?.id, anna.id);
    t.equal(await accounts.findByName('nobody'), undefined);
  });

  await t.test('a session is found by its cookie only, and ends when it should', async (t) => {
    const value = await begin(anna);
    t.match(await sessions.find(value), { accountId: anna.id });
    t.equal(await sessions.find(`${value}x`), undefined);
    const rows = JSON.stringify(await database.selectFrom('session').selectAll().execute());
    t.notOk(rows.includes(value), 'the database does not have the cookie');

    clock.ahead += 13 * DAY_MS;
    t.ok(await sessions.find(value), 'each use extends it');
    clock.ahead += 13 * DAY_MS;
    t.ok(await sessions.find(value));
    clock.ahead += 15 * DAY_MS;
    t.equal(await sessions.find(value), undefined, 'it was not used for two weeks');
    await sessions.removeExpired();
    t.same(await database.selectFrom('session').selectAll().execute(), []);
  });

  await t.test('no session lives longer than 90 days', async (t) => {
    const value = await begin(anna);
    for (let day = 0; day < 90; day += 10) {
      t.ok(await sessions.find(value), `day ${day}`);
      clock.ahead += 10 * DAY_MS;
    }
    t.equal(await sessions.find(value), undefined);
  });

  await t.test('an account ends its own sessions only', async (t) => {
    const [first = '', second = '', foreign = ''] = await Promise.all([anna, anna, ben].map(begin));
    const others = await sessions.ofAccount(ben.id);
    await sessions.end(others[0]?.id ?? '', anna.id);
    t.ok(await sessions.find(foreign));
    const keep = await sessions.find(first);
    if (!keep) throw new Error('no session');
    t.equal(await accounts.setPassword({ account: anna, session: keep }, passwordHash), true);
    t.same(await Promise.all([first, second, foreign].map(async (value) => !!(await sessions.find(value)))), [
      true,
      false,
      true,
    ]);
  });

  await t.test('five wrong passwords lock an account for one network, not for others', async (t) => {
    const signIn = createSignIn({
      accounts,
      secondFactors: createSecondFactors(store),
      passwords: createPasswordWork(),
      now: store.now,
    });
    const attempt = (password: string, address: string) => signIn.check({ name: 'anna', password, address });
    t.equal((await attempt('correct horse', '2001:db8::1'))?.id, anna.id);
    for (let count = 0; count < 5; count++) t.equal(await attempt('wrong', '2001:db8::1'), undefined);
    await t.rejects(attempt('correct horse', '2001:db8::2'), { code: 'rate_limited' }, 'the same network');
    t.ok(await attempt('correct horse', '203.0.113.9'), 'the owner elsewhere');
    clock.ahead += 16 * 60_000;
    t.ok(await attempt('correct horse', '2001:db8::1'));
    t.equal(await signIn.check({ name: 'nobody', password: 'x', address: '203.0.113.9' }), undefined);
  });
});
