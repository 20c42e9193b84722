/** What operators do to accounts of others, on both databases. */
import t from 'tap';
import { createAccounts } from '../../../../../gateway/proxy/accounts/accounts.ts';
import { createAdministration } from '../../../../../gateway/proxy/accounts/administration/administration.ts';
import { createAudit } from '../../../../../gateway/proxy/accounts/audit.ts';
import { createSessions } from '../../../../../gateway/proxy/accounts/sessions/sessions.ts';
import { createDaemons } from '../../../../../gateway/proxy/daemons/directory.ts';
import { withEachDatabase } from '../../../../support/proxy/proxy-store.ts';

const FROM = { userAgent: 'Firefox/140', address: '203.0.113.7' };
const DAEMON = { name: 'Attic', publicKey: { kty: 'OKP' }, scopes: ['servers:read'] } as const;

withEachDatabase(t, async (t, store) => {
  const { database, now } = store;
  const accounts = createAccounts(database, now);
  const sessions = createSessions(store);
  const daemons = createDaemons(database, now);
  const administration = createAdministration(database, now);

  async function addUser(name: string, isAdmin = false) {
    const account = await accounts.add({ name, passwordHash: 'a hash', isAdmin });
    const value = (await sessions.begin({ account, ...FROM })) ?? '';
    const session = await sessions.find(value);
    if (!session) throw new Error('no session');
    return { account, session, value };
  }
  const count = async () =>
    (await database.selectFrom('access_change').select('count').executeTakeFirstOrThrow()).count;

  await t.test('a disabled account is as if it did not exist, until it is enabled', async (t) => {
    const anna = await addUser('anna');
    const daemon = { ...DAEMON, daemonId: 'daemon-of-anna', accountId: anna.account.id };
    await daemons.register(daemon);
    const before = await count();
    t.equal(await administration.disable(anna.account.id), true);
    t.ok((await count()) > before, 'every process looks at its links');
    t.equal(await sessions.find(anna.value), undefined);
    t.equal(await accounts.find(anna.account.id), undefined);
    t.equal(await accounts.findByName('anna'), undefined);
    t.equal(await sessions.begin({ account: anna.account, ...FROM }), undefined, 'a sign-in that was checked before');
    t.equal(await accounts.setPassword(anna, 'another hash'), false);
    t.equal(await daemons.find('daemon-of-anna'), undefined);
    t.same(await Promise.all(['daemon-of-anna', 'nobody'].map(daemons.isDisabled)), [true, false]);
    t.equal(await daemons.seen('daemon-of-anna', new Date()), false);
    t.same(await daemons.missing(['daemon-of-anna', 'nobody']), ['daemon-of-anna', 'nobody']);
    t.match(await administration.list(), [{ name: 'anna', isDisabled: true, daemons: 1 }]);
    await t.rejects(accounts.add({ name: 'Anna', isAdmin: false }), { code: 'user_exists' }, 'the name stays taken');

    t.equal(await administration.enable(anna.account.id), true);
    t.match(await accounts.findByName('anna'), { name: 'anna', passwordHash: 'a hash' });
    t.equal(await sessions.begin({ account: anna.account, ...FROM }), undefined, 'what was checked before stays stale');
    t.match(await daemons.find('daemon-of-anna'), { name: 'Attic' });
    t.equal(await daemons.isDisabled('daemon-of-anna'), false);
    t.same(await daemons.missing(['daemon-of-anna', 'nobody']), ['nobody']);
  });

  await t.test('a removed account takes everything with it', async (t) => {
    const ben = await addUser('ben');
    await daemons.register({ ...DAEMON, daemonId: 'daemon-of-ben', accountId: ben.account.id });
    t.equal(await administration.remove(ben.account.id), true);
    t.equal(await sessions.find(ben.value), undefined);
    t.equal(await daemons.find('daemon-of-ben'), undefined);
    t.equal(await administration.remove(ben.account.id), false);
    t.ok(await accounts.add({ name: 'Ben', isAdmin: false }), 'the name is free');
  });

  await t.test('a reset ends sessions and makes what was checked stale', async (t) => {
    const cara = await addUser('cara');
    t.equal(await administration.resetPassword(cara.account.id, { passwordHash: 'a new hash' }), true);
    t.equal(await sessions.find(cara.value), undefined);
    t.equal(await accounts.setPassword(cara, 'the old session'), false);
    t.match(await accounts.findByName('cara'), { passwordHash: 'a new hash' });
  });

  await t.test('an administrator acts only as verified', async (t) => {
    const [dora, emil] = [await addUser('dora', true), await addUser('emil')];
    await administration.disable(dora.account.id);
    t.equal(await administration.remove(emil.account.id, dora), false);
    t.equal(await administration.disable(emil.account.id, dora), false);
    t.equal(await administration.resetPassword(emil.account.id, { passwordHash: 'x' }, dora), false);
    t.match(await accounts.find(emil.account.id), { passwordHash: 'a hash' });
  });

  await t.test('of two administrators who disable each other at once, one stays', async (t) => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await addUser(`one${round}`, true), await addUser(`two${round}`, true)];
      const done = await Promise.all([
        administration.disable(two.account.id, one),
        administration.disable(one.account.id, two),
      ]);
      t.same(done.sort(), [false, true]);
    }
  });

  await t.test('a name is changed once, and to a free one', async (t) => {
    const [fay, gus] = [await addUser('fay'), await addUser('gus')];
    t.equal(await accounts.rename(fay, 'FAY'), true, 'only the case');
    await t.rejects(accounts.rename(gus, 'Fay'), { code: 'user_exists' });
    const taken = await Promise.allSettled([accounts.rename(fay, 'Hal'), accounts.rename(gus, 'hal')]);
    t.same(taken.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    for (const one of taken) if (one.status === 'rejected') t.match(one.reason, { code: 'user_exists' });
  });

  await t.test('what happened to an account is on record after it is gone', async (t) => {
    const audit = createAudit(database, now);
    const { account } = await addUser('ida');
    await audit.record({ account, action: 'password.changed', address: '203.0.113.7', detail: 'x'.repeat(300) });
    store.clock.ahead += 2_000;
    await administration.remove(account.id);
    await audit.record({ account, action: 'account.removed', actor: 'command line' });
    t.match(await audit.ofAccount(account.id, 10), [
      { action: 'account.removed', account: 'ida', actor: 'command line' },
      { action: 'password.changed', actor: 'ida', address: '203.0.113.7', detail: /^x{200}$/ },
    ]);
    store.clock.ahead += 200 * 24 * 60 * 60 * 1000;
    await audit.removeOld();
    t.same(await audit.ofAccount(account.id, 10), []);
  });
});
