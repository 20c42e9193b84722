/** Codes of authenticator apps, on both databases. */
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { createAccounts } from '../../../../../gateway/proxy/accounts/accounts.ts';
import { createSecondFactors } from '../../../../../gateway/proxy/accounts/second-factors/second-factors.ts';
import { createSessions } from '../../../../../gateway/proxy/accounts/sessions/sessions.ts';
import { withEachDatabase } from '../../../../support/proxy/proxy-store.ts';

const STEP_MS = 30_000;
const FROM = { userAgent: 'Firefox/140', address: '203.0.113.7' };

withEachDatabase(t, async (t, store) => {
  const factors = createSecondFactors(store);
  const accounts = createAccounts(store.database, store.now);
  const sessions = createSessions(store);
  const account = await accounts.add({ name: 'anna', passwordHash: '', isAdmin: false });
  const { id } = account;
  const session = await sessions.find((await sessions.begin({ account, ...FROM })) ?? '');
  const user = async () => {
    const account = await accounts.find(id);
    if (!account || !session) throw new Error('no session');
    return { account, session };
  };
  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: store.now() });

  const first = (await factors.begin(await user())) ?? '';
  const secret = (await factors.begin(await user())) ?? '';
  t.not(first, secret, 'beginning again makes another secret');
  t.equal(await factors.begun(id), secret);
  t.equal(await factors.isOn(id), false, 'no effect before it is confirmed');
  t.equal(await factors.use(id, codeOf(secret)), false);
  t.equal(await factors.confirm(await user(), codeOf(first)), undefined, 'a code of the former secret');
  const confirming = codeOf(secret);
  const codes = (await factors.confirm(await user(), confirming)) ?? [];
  t.equal(codes.length, 10);
  t.equal(await factors.isOn(id), true);
  await t.rejects(factors.begin(await user()), { code: 'invalid_state' });
  t.equal(await factors.use(id, confirming), false, 'the code that confirmed it was used');

  store.clock.ahead += 2 * STEP_MS;
  const code = codeOf(secret);
  const uses = await Promise.all(Array.from({ length: 10 }, () => factors.use(id, code)));
  t.equal(uses.filter(Boolean).length, 1, 'of many uses at once, one succeeds');
  for (const wrong of ['', '000000', '１２３４５６', 'x'.repeat(1000)])
    t.equal(await factors.use(id, wrong), false, wrong.slice(0, 8));

  const [one = '', two = ''] = codes;
  const typed = one.toUpperCase().replaceAll('-', ' ');
  const recoveries = await Promise.all(Array.from({ length: 10 }, () => factors.use(id, typed)));
  t.equal(recoveries.filter(Boolean).length, 1);
  const stored = JSON.stringify([
    await store.database.selectFrom('totp').selectAll().execute(),
    await store.database.selectFrom('recovery_code').selectAll().execute(),
  ]);
  for (const hidden of [secret, two])
    t.notOk(stored.includes(hidden), 'neither secret nor recovery codes are readable');

  await factors.remove(await user());
  t.equal(await factors.isOn(id), false);
  t.equal(await factors.use(id, two), false, 'recovery codes are gone as well');
});
