/** What was verified before the password or the second factor changed is worth nothing afterwards, on both databases. */
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { createAccounts } from '../../../../../gateway/proxy/accounts/accounts.ts';
import { createChangePassword } from '../../../../../gateway/proxy/accounts/change-password.ts';
import { createSecondFactors } from '../../../../../gateway/proxy/accounts/second-factors/second-factors.ts';
import { createSessions } from '../../../../../gateway/proxy/accounts/sessions/sessions.ts';
import { createSignIn } from '../../../../../gateway/proxy/accounts/sign-in/sign-in.ts';
import { hashPassword } from '../../../../../shared/node/passwords/password-hash.ts';
import { createPasswordWork } from '../../../../../shared/node/passwords/password-work.ts';
import { type TestStore, withEachDatabase } from '../../../../support/proxy/proxy-store.ts';

const PASSWORD = 'correct horse';
const FROM = { userAgent: 'Firefox/140', address: '203.0.113.7' };

withEachDatabase(t, async (t, store) => {
  const world = await createWorld(store);
  const { accounts, sessions, factors, signIn, addUser, codeOf } = world;

  await t.test('a sign-in that was checked before a change begins no session', async (t) => {
    const { user, claim } = await addUser('anna');
    const checked = await signIn.check(claim);
    if (!checked) throw new Error('wrong password');
    t.equal(await accounts.setPassword(user, 'another hash'), true);
    t.equal(await sessions.begin({ account: checked, ...FROM }), undefined);
    t.match(await sessions.ofAccount(user.account.id), [{ id: user.session.id }]);
    t.equal((await sessions.ofAccount(user.account.id)).length, 1);
  });

  await t.test('of two password changes at once, one succeeds and ends the session of the other', async (t) => {
    const { user, another, claim } = await addUser('ben');
    const other = await another();
    const changePassword = createChangePassword({ accounts, signIn, passwords: createPasswordWork() });
    const changes = [
      changePassword(user, { ...claim, newPassword: 'battery staple' }),
      changePassword(other, { ...claim, newPassword: 'staple battery' }),
    ];
    t.same((await Promise.all(changes)).sort(), ['The current password is wrong.', undefined]);
    t.equal((await sessions.ofAccount(user.account.id)).length, 1);
  });

  await t.test('a password change races sign-ins: no session with the former password is left', async (t) => {
    const { user } = await addUser('cara');
    const begin = () => sessions.begin({ account: user.account, ...FROM });
    await Promise.all([begin(), begin(), accounts.setPassword(user, 'another hash'), begin(), begin()]);
    t.same(
      (await sessions.ofAccount(user.account.id)).map(({ id }) => id),
      [user.session.id],
    );
  });

  await t.test('a session that has ended changes nothing', async (t) => {
    const { user } = await addUser('dora');
    await sessions.end(user.session.id, user.account.id);
    t.equal(await accounts.setPassword(user, 'another hash'), false);
    t.equal(await factors.begin(user), undefined);
    t.match(await accounts.find(user.account.id), user.account);
  });

  await t.test('a second factor is begun, confirmed and removed only by a user as verified', async (t) => {
    const { user, another, again } = await addUser('emil');
    const { id } = user.account;
    await accounts.setPassword(user, 'another hash');
    t.equal(await factors.begin(user), undefined, 'begin');
    t.equal(await factors.begun(id), undefined);
    const secret = (await factors.begin(await again())) ?? '';
    t.equal(await factors.confirm(user, codeOf(secret)), undefined, 'confirm');
    t.equal(await factors.isOn(id), false);
    await another();
    const beforeFactor = await again();
    t.equal(
      (await factors.confirm(beforeFactor, codeOf(secret)))?.length,
      10,
      'the refused one did not use up the code',
    );
    t.equal((await sessions.ofAccount(id)).length, 1, 'sessions with the password alone have ended');
    t.equal(await sessions.begin({ account: beforeFactor.account, ...FROM }), undefined, 'begin a session');
    t.equal(await factors.remove(beforeFactor), false, 'remove');
    t.equal(await factors.isOn(id), true);
    const beforeRemoval = await again();
    t.equal(await factors.remove(beforeRemoval), true);
    t.equal(await accounts.setPassword(beforeRemoval, 'a third hash'), false, 'removing is a change as well');
  });
});

async function createWorld(store: TestStore) {
  const accounts = createAccounts(store.database, store.now);
  const sessions = createSessions(store);
  const factors = createSecondFactors(store);
  const passwords = createPasswordWork();
  const signIn = createSignIn({ accounts, secondFactors: factors, passwords, now: store.now });
  const passwordHash = await hashPassword(PASSWORD);

  async function addUser(name: string) {
    const added = await accounts.add({ name, passwordHash, isAdmin: false });
    /** The account as it is now, in a new browser. */
    async function another() {
      const account = (await accounts.find(added.id)) ?? added;
      const session = await sessions.find((await sessions.begin({ account, ...FROM })) ?? '');
      if (!session) throw new Error('no session');
      return { account, session };
    }
    const user = await another();
    /** The account as it is now, in the first browser. */
    const again = async () => ({ ...user, account: (await accounts.find(added.id)) ?? added });
    return { user, another, again, claim: { name, password: PASSWORD, address: FROM.address } };
  }

  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: store.now() });
  return { accounts, sessions, factors, signIn, addUser, codeOf };
}
