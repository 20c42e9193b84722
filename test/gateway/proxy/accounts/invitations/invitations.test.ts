/** Invitations, and the accounts that people make with them, on both databases. */
import t from 'tap';
import { createAccounts } from '../../../../../gateway/proxy/accounts/accounts.ts';
import { createAdministration } from '../../../../../gateway/proxy/accounts/administration/administration.ts';
import { createInvitations } from '../../../../../gateway/proxy/accounts/invitations/invitations.ts';
import { createSignUp } from '../../../../../gateway/proxy/accounts/invitations/sign-up.ts';
import { createCeremonies } from '../../../../../gateway/proxy/accounts/passkeys/ceremonies.ts';
import { createPasskeys } from '../../../../../gateway/proxy/accounts/passkeys/passkeys.ts';
import { createSessions } from '../../../../../gateway/proxy/accounts/sessions/sessions.ts';
import { withEachDatabase } from '../../../../support/proxy/proxy-store.ts';
import { SoftAuthenticator } from '../../../../support/proxy/soft-authenticator.ts';

const ISSUER = 'https://play.example.net';
const DAY_MS = 24 * 60 * 60 * 1000;
const FROM = { userAgent: 'Firefox/140', address: '203.0.113.7' };
const FOR_BEN = { note: 'Ben', isAdmin: false, days: 7 };
const WAY = { passwordHash: 'a hash' };

withEachDatabase(t, async (t, store) => {
  const { database, now, clock } = store;
  const accounts = createAccounts(database, now);
  const administration = createAdministration(database, now);
  const sessions = createSessions(store);
  const invitations = createInvitations(store);
  const ceremonies = createCeremonies({ ...store, issuer: ISSUER });
  const passkeys = createPasskeys({ database, ceremonies, requireWayToSignIn: async () => undefined, now });
  const signUp = createSignUp({ database, invitations, ceremonies, now });

  async function invite(invitation = FOR_BEN, by: Parameters<typeof invitations.create>[1] = { name: 'command line' }) {
    const created = await invitations.create(invitation, by);
    if (!created) throw new Error('not created');
    return created;
  }
  async function administrator(name: string) {
    const account = await accounts.add({ name, isAdmin: true, passwordHash: 'a hash' });
    const session = await sessions.find((await sessions.begin({ account, ...FROM })) ?? '');
    if (!session) throw new Error('no session');
    return { account, session };
  }

  await t.test('an invitation makes one account, also at once', async (t) => {
    const { token, id } = await invite();
    t.match(await invitations.list(), [{ id, note: 'Ben', invitedBy: 'command line' }]);
    const rows = JSON.stringify(await database.selectFrom('invitation').selectAll().execute());
    t.notOk(rows.includes(token), 'the database does not have the link');
    const names = ['ben', 'bea', 'bob', 'bix'];
    const made = await Promise.all(names.map((name) => signUp.redeem(token, name, WAY)));
    t.equal(made.filter(Boolean).length, 1);
    const present = await Promise.all(names.map((name) => accounts.isTaken(name)));
    t.equal(present.filter(Boolean).length, 1);
    t.equal(await invitations.find(token), undefined);
    t.same(await invitations.list(), []);
    t.equal(await signUp.redeem('forged', 'cleo', WAY), undefined);
  });

  await t.test('a name that is taken does not use it up', async (t) => {
    const { token } = await invite();
    await accounts.add({ name: 'Taken', isAdmin: false });
    await t.rejects(signUp.redeem(token, 'taken', WAY), { code: 'user_exists' });
    t.match(await signUp.redeem(token, 'free', WAY), { name: 'free', isAdmin: false, passwordHash: 'a hash' });
  });

  await t.test('it expires, and can be taken back', async (t) => {
    const [late, revoked] = [await invite({ ...FOR_BEN, days: 1 }), await invite()];
    t.match(await invitations.revoke(revoked.id), { note: 'Ben' });
    t.equal(await invitations.revoke(revoked.id), undefined);
    t.equal(await signUp.redeem(revoked.token, 'dan', WAY), undefined);
    clock.ahead += DAY_MS;
    t.equal(await invitations.find(late.token), undefined);
    t.equal(await signUp.redeem(late.token, 'dan', WAY), undefined);
    t.equal(await accounts.isTaken('dan'), false);
    clock.ahead += 40 * DAY_MS;
    await invitations.removeOld();
    t.same(await database.selectFrom('invitation').selectAll().execute(), []);
  });

  await t.test('that of an administrator works as long as they are one', async (t) => {
    const eve = await administrator('eve');
    const by = { name: 'eve', user: eve };
    const [first, second] = [await invite(FOR_BEN, by), await invite({ ...FOR_BEN, isAdmin: true }, by)];
    t.match(await signUp.redeem(second.token, 'friend', WAY), { isAdmin: true });
    await administration.disable(eve.account.id);
    t.equal(await invitations.create(FOR_BEN, by), undefined, 'as verified before');
    t.equal(await invitations.revoke(first.id, eve), undefined);
    t.equal(await invitations.find(first.token), undefined);
    t.equal(await signUp.redeem(first.token, 'stranger', WAY), undefined);
    await administration.enable(eve.account.id);
    t.ok(await invitations.find(first.token));
    await administration.remove(eve.account.id);
    t.equal(await signUp.redeem(first.token, 'stranger', WAY), undefined);
  });

  await t.test('an account begins with a passkey and no password', async (t) => {
    const [{ token, id }, other] = [await invite(), await invite()];
    const device = new SoftAuthenticator(ISSUER);
    const response = device.create(await signUp.beginPasskey(id, 'fay'));
    t.equal(await signUp.checkPasskey(response, other.id), undefined, 'a response for another invitation');
    const again = device.create(await signUp.beginPasskey(id, 'fay'));
    const made = await signUp.checkPasskey(again, id);
    if (!made) throw new Error('refused');
    t.equal(await signUp.checkPasskey(again, id), undefined, 'a replay');
    const account = await signUp.redeem(token, 'fay', { passkey: { ...made, name: 'Phone' } });
    t.match(account, { name: 'fay', id: made.accountId });
    t.equal(account?.passwordHash, undefined);
    const used = await passkeys.use(device.get(await passkeys.beginUse()));
    t.match(used, { account: { name: 'fay' }, isCopied: false });
    const copied = device.create(await signUp.beginPasskey(other.id, 'gil'));
    const second = await signUp.checkPasskey(copied, other.id);
    if (!second) throw new Error('refused');
    const taken = signUp.redeem(other.token, 'gil', { passkey: { ...second, name: 'Phone' } });
    await t.rejects(taken, { code: 'invalid_state' }, 'a passkey that somebody has');
    t.equal(await accounts.isTaken('gil'), false);
    t.ok(await invitations.find(other.token), 'the invitation is still open');
  });

  await t.test('administrators search for accounts, whatever they type', async (t) => {
    for (const name of ['x_y', 'xzy']) await accounts.add({ name, isAdmin: false });
    t.match((await administration.search('X_Y')).accounts, [{ name: 'x_y' }]);
    for (const text of ['%', '!', '\\', "'", '\u{1f600}'.repeat(50)])
      t.same(await administration.search(text), { accounts: [], total: 0 }, text);
    const { accounts: all, total } = await administration.search('');
    t.equal(all.length, total);
  });
});
