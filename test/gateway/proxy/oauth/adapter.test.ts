/** What oidc-provider stores, on both databases. */
import { randomBytes } from 'node:crypto';
import { errors } from 'oidc-provider';
import t from 'tap';
import { createAdapter } from '../../../../gateway/proxy/oauth/adapter.ts';
import { createClients } from '../../../../gateway/proxy/oauth/clients.ts';
import { createGrants } from '../../../../gateway/proxy/oauth/grants.ts';
import { noLinks } from '../../../../gateway/proxy/proxy.ts';
import { withEachDatabase } from '../../../support/proxy/proxy-store.ts';

const MINUTE_S = 60;

withEachDatabase(t, async (t, store) => {
  const grants = createGrants({ ...store, links: noLinks() });
  const clients = createClients(store);
  const adapter = createAdapter({ ...store, clients, grants });
  const codes = adapter('AuthorizationCode');
  const newId = () => randomBytes(24).toString('base64url');

  await t.test('of many uses at once, one succeeds, and the reuse can be seen', async (t) => {
    const id = newId();
    await codes.upsert(id, { jti: id, grantId: 'g1' }, MINUTE_S);
    const uses = await Promise.allSettled(Array.from({ length: 20 }, () => codes.consume(id)));
    t.equal(uses.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const use of uses) if (use.status === 'rejected') t.ok(use.reason instanceof errors.InvalidGrant);
    t.match(await codes.find(id), { jti: id, consumed: Number });
    await t.rejects(codes.consume(newId()), errors.InvalidGrant);
  });

  await t.test('it finds by id, user code and uid, each kind apart', async (t) => {
    const [device, session] = [adapter('DeviceCode'), adapter('Session')];
    const [deviceId, sessionId] = [newId(), newId()];
    await device.upsert(deviceId, { jti: deviceId, userCode: 'ABCDEFGH' }, MINUTE_S);
    await session.upsert(sessionId, { jti: sessionId, uid: 'u1' }, MINUTE_S);
    t.match(await device.findByUserCode('ABCDEFGH'), { jti: deviceId });
    t.match(await session.findByUid('u1'), { jti: sessionId });
    t.equal(await codes.find(deviceId), undefined);
    await device.upsert(deviceId, { jti: deviceId, userCode: 'ABCDEFGH', inFlight: true }, MINUTE_S);
    t.match(await device.find(deviceId), { inFlight: true });
    await device.destroy(deviceId);
    t.equal(await device.find(deviceId), undefined);
  });

  await t.test('the database holds no id, code or content', async (t) => {
    const id = newId();
    await codes.upsert(id, { jti: id, userCode: 'SECRETCODE', accountName: 'content' }, MINUTE_S);
    const stored = JSON.stringify(await store.database.selectFrom('oauth_item').selectAll().execute());
    for (const secret of [id, 'SECRETCODE', 'content']) t.notOk(stored.includes(secret), secret);
  });

  await t.test('a row that was swapped for another is noticed', async (t) => {
    const [one, two] = [newId(), newId()];
    await codes.upsert(one, { jti: one }, MINUTE_S);
    await codes.upsert(two, { jti: two }, MINUTE_S);
    const row = await store.database
      .selectFrom('oauth_item')
      .selectAll()
      .where('name', '=', store.vault.nameOf(two))
      .executeTakeFirstOrThrow();
    await store.database
      .updateTable('oauth_item')
      .set({ payload: row.payload })
      .where('name', '=', store.vault.nameOf(one))
      .execute();
    await t.rejects(async () => codes.find(one));
  });

  await t.test('ending a grant removes everything that came of it', async (t) => {
    const [grantId, tokenId] = [newId(), newId()];
    await adapter('Grant').upsert(grantId, { jti: grantId, clientId: 'bot' }, MINUTE_S);
    await adapter('RefreshToken').upsert(tokenId, { jti: tokenId, grantId }, MINUTE_S);
    await adapter('Grant').destroy(grantId);
    t.equal(await adapter('Grant').find(grantId), undefined);
    t.equal(await adapter('RefreshToken').find(tokenId), undefined);
    t.equal(await grants.isRevoked(grantId), true);
  });

  await t.test('clients are read, and no protocol writes them', async (t) => {
    const created = await clients.create({ name: 'Bot', redirectUris: ['https://bot.example/'], isPublic: false });
    t.match(await adapter('Client').find(created.client_id), {
      client_name: 'Bot',
      client_secret: created.client_secret,
    });
    t.equal(await adapter('Client').find('unknown'), undefined);
    await t.rejects(async () => adapter('Client').upsert('x', {}, 1));
    const stored = JSON.stringify(await store.database.selectFrom('oauth_client').selectAll().execute());
    t.notOk(stored.includes(created.client_secret ?? '?'));
  });
});
