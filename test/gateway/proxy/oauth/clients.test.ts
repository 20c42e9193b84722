/** Programs, and whose they are, on both databases. */
import t from 'tap';
import { createAccounts } from '../../../../gateway/proxy/accounts/accounts.ts';
import { createAdministration } from '../../../../gateway/proxy/accounts/administration/administration.ts';
import { createAdapter } from '../../../../gateway/proxy/oauth/adapter.ts';
import { createClients } from '../../../../gateway/proxy/oauth/clients.ts';
import { createGrants } from '../../../../gateway/proxy/oauth/grants.ts';
import { resourceOf } from '../../../../gateway/proxy/oauth/resources.ts';
import { noLinks } from '../../../../gateway/proxy/proxy.ts';
import { withEachDatabase } from '../../../support/proxy/proxy-store.ts';

const URI = 'https://bot.example/callback';
const MOST = 20;

withEachDatabase(t, async (t, store) => {
  const { database, now } = store;
  const clients = createClients(store);
  const accounts = createAccounts(database, now);
  const [anna, ben] = [
    await accounts.add({ name: 'anna', passwordHash: 'x', isAdmin: false }),
    await accounts.add({ name: 'ben', passwordHash: 'x', isAdmin: false }),
  ];
  const register = (accountId?: string) =>
    clients.create({ name: 'Bot', redirectUris: [URI], isPublic: false, ...(accountId && { accountId }) });

  await t.test('each belongs to the account that has registered it, or to the operator', async (t) => {
    const [own, operators] = [await register(anna.id), await register()];
    t.match(own.client_id, /^[0-9a-f]{16}$/, 'no command takes it for an option');
    t.match(await clients.list(anna.id), [{ id: own.client_id, name: 'Bot', redirectUris: [URI], owner: 'anna' }]);
    t.same(await clients.list(ben.id), []);
    t.equal((await clients.list()).length, 2);
    t.equal(await clients.ownerOf(own.client_id), 'anna');
    t.equal(await clients.ownerOf(operators.client_id), undefined);
    for (const { client_id: id } of [own, operators]) t.equal(await clients.remove(id, ben.id), false);
    t.equal(await clients.remove(own.client_id, anna.id), true);
    t.equal(await clients.remove(operators.client_id), true);
    t.equal(await clients.find(own.client_id), undefined);
  });

  await t.test('an account has so many at most, also if they are registered at once', async (t) => {
    const results = await Promise.allSettled(Array.from({ length: MOST + 5 }, () => register(ben.id)));
    t.equal(results.filter(({ status }) => status === 'fulfilled').length, MOST);
    await t.rejects(register(ben.id), { code: 'invalid_state' });
  });

  await t.test('those of a disabled account do not exist until it is enabled', async (t) => {
    const { client_id: id } = await register(anna.id);
    const administration = createAdministration(database, now);
    await administration.disable(anna.id);
    t.equal(await clients.find(id), undefined);
    await administration.enable(anna.id);
    t.match(await clients.find(id), { client_name: 'Bot' });
    await administration.remove(anna.id);
    t.equal(await clients.find(id), undefined, 'and go with it');
  });

  await t.test('names that deceive and addresses that are no program are refused', async (t) => {
    for (const name of ['', ' ', 'x'.repeat(65), 'Bot\n', 'Bot\u202e'])
      await t.rejects(clients.create({ name, redirectUris: [URI], isPublic: true }), { code: 'invalid_request' }, name);
    for (const redirectUris of [[], Array(11).fill(URI), [`${URI}?${'x'.repeat(512)}`], ['http://bot.example/']])
      await t.rejects(clients.create({ name: 'Bot', redirectUris, isPublic: true }), { code: 'invalid_request' });
  });

  await t.test('the grants of one that is removed end, and no others', async (t) => {
    const grants = createGrants({ ...store, links: noLinks() });
    const adapter = createAdapter({ ...store, clients, grants })('Grant');
    const resources = { [resourceOf('7b0c4c3e-0000-4000-8000-000000000000')]: 'servers:read' };
    for (const [id, clientId] of [
      ['one', 'bot'],
      ['two', 'other'],
      ['old', 'bot'],
    ] as const)
      await adapter.upsert(id, { clientId, accountId: ben.id, resources }, 60);
    await database.updateTable('oauth_item').set({ client_id: null }).where('grant_id', '=', 'old').execute();
    const left = async () => (await grants.ofAccount(ben.id)).map(({ grantId }) => grantId).sort();
    await grants.revokeOfClient('bot');
    t.same(await left(), ['old', 'two']);
    t.equal(await grants.isRevoked('one'), true);
    await grants.revokeOfClient('bot', { alsoOlder: true });
    t.same(await left(), ['two']);
  });
});
