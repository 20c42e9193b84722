/** Registered daemons, on both databases. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createAccounts } from '../../../../gateway/proxy/accounts/accounts.ts';
import { createDaemons } from '../../../../gateway/proxy/daemons/directory.ts';
import { withEachDatabase } from '../../../support/proxy/proxy-store.ts';

const key = (x: string) => ({ kty: 'OKP', crv: 'Ed25519', x });

withEachDatabase(t, async (t, { database, now }) => {
  const accounts = createAccounts(database, now);
  const daemons = createDaemons(database, now);
  const [anna, ben] = await Promise.all(
    ['anna', 'ben'].map((name) => accounts.add({ name, passwordHash: '', isAdmin: false })),
  );
  if (!anna || !ben) throw new Error('no accounts');
  const daemonId = randomUUID();
  const daemon = {
    daemonId,
    accountId: anna.id,
    name: 'Attic',
    publicKey: key('a'),
    scopes: ['servers:read'] as const,
  };

  await t.test('the owner registers it, again, and with a new key', async (t) => {
    t.equal(await daemons.register(daemon), 'added');
    t.equal(await daemons.register({ ...daemon, name: 'Cellar' }), 'updated');
    t.equal(await daemons.register({ ...daemon, publicKey: key('b') }), 'key changed');
    t.match(await daemons.find(daemonId), {
      accountId: anna.id,
      publicKey: key('b'),
      name: 'Attic',
      lastSeen: undefined,
    });
  });

  await t.test('nobody else can take it over or remove it', async (t) => {
    await t.rejects(daemons.register({ ...daemon, accountId: ben.id }), { code: 'daemon_taken' });
    t.equal((await daemons.find(daemonId))?.accountId, anna.id);
    t.equal(await daemons.remove(daemonId, ben.id), false);
    t.equal((await daemons.ofAccount(ben.id)).length, 0);
  });

  await t.test('of two accounts that register one id at once, one gets it', async (t) => {
    const contested = randomUUID();
    const outcomes = await Promise.allSettled(
      [anna, ben].map(({ id }) => daemons.register({ ...daemon, daemonId: contested, accountId: id })),
    );
    t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  await t.test('it remembers when it was seen', async (t) => {
    const at = new Date(1_900_000_000_000);
    await daemons.seen(daemonId, at);
    t.same((await daemons.find(daemonId))?.lastSeen, at);
    await daemons.seen(randomUUID(), at);
  });

  await t.test('the owner removes it, and it can be linked elsewhere', async (t) => {
    t.equal(await daemons.remove(daemonId, anna.id), true);
    t.equal(await daemons.remove(daemonId, anna.id), false);
    t.equal(await daemons.register({ ...daemon, accountId: ben.id }), 'added');
  });
});
