/** Which access tokens the proxy accepts for a daemon, on both databases. */
import { randomUUID } from 'node:crypto';
import { generateKeyPair, importJWK, SignJWT } from 'jose';
import t from 'tap';
import { allow } from '../../../../../gateway/proxy/oauth/consent/allow.ts';
import { createKeyStore } from '../../../../../gateway/proxy/oauth/keys/key-store.ts';
import { createLiveKeys } from '../../../../../gateway/proxy/oauth/keys/live-keys.ts';
import { createProxy, noLinks } from '../../../../../gateway/proxy/proxy.ts';
import { withEachDatabase } from '../../../../support/proxy/proxy-store.ts';

const MOST_GRANTS = 200;
const ISSUER = 'https://proxy.example';

withEachDatabase(t, async (t, store) => {
  const told: string[] = [];
  const links = {
    ...noLinks(),
    tell: (daemonId: string, { grantId }: { grantId: string }) => void told.push(`${daemonId} ${grantId}`),
  };
  const { accounts, daemons, grants, oauth, tokens } = await createProxy({
    issuer: ISSUER,
    ...store,
    linksOf: () => links,
  });
  const { provider } = oauth;
  const [anna, ben] = await Promise.all(
    ['anna', 'ben'].map((name) => accounts.add({ name, passwordHash: '', isAdmin: false })),
  );
  if (!anna || !ben) throw new Error('no accounts');
  const daemonId = randomUUID();
  const daemon = { daemonId, name: 'Attic', publicKey: { kty: 'OKP' }, scopes: [] };
  await daemons.register({ ...daemon, accountId: anna.id });

  const grant = new provider.Grant({ accountId: anna.id, clientId: 'bot' });
  grant.addResourceScope(`urn:uuid:${daemonId}`, 'servers:read');
  const grantId = await grant.save();
  const [jwk] = (await createLiveKeys(createKeyStore(store))).ring.signing;
  if (!jwk) throw new Error('no key');

  async function token(claims: Record<string, unknown> = {}, header: object = {}, key = jwk): Promise<string> {
    const iat = Math.floor(store.now() / 1000);
    const payload = {
      iss: ISSUER,
      aud: `urn:uuid:${daemonId}`,
      sub: anna?.id ?? '',
      client_id: 'bot',
      grant_id: grantId,
      scope: 'servers:read',
      iat,
      exp: iat + 600,
      ...claims,
    };
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: jwk?.kid ?? '', ...header })
      .sign(await importJWK(key ?? {}, 'ES256'));
  }
  const check = async (made: Promise<string>) => (await tokens.check.forDaemon(await made, daemonId)) !== undefined;

  await t.test('a good token, with what it allows', async (t) => {
    t.match(await tokens.check.forDaemon(await token(), daemonId), {
      accountId: anna.id,
      grantId,
      clientId: 'bot',
      scopes: ['servers:read'],
      expiresAt: Date,
    });
  });

  await t.test('nothing else', async (t) => {
    const { privateKey } = await generateKeyPair('ES256');
    t.equal(await check(token({ aud: `urn:uuid:${randomUUID()}` })), false, 'another audience');
    t.equal(await check(token({ iss: 'https://other.example' })), false, 'another issuer');
    t.equal(await check(token({ exp: Math.floor(store.now() / 1000) - 1 })), false, 'expired');
    t.equal(await check(token({ grant_id: undefined })), false, 'no grant');
    t.equal(await check(token({ sub: ben.id })), false, 'another account');
    t.equal(await check(token({}, { typ: 'JWT' })), false, 'another type');
    t.equal(await check(token({}, { kid: 'unknown' })), false, 'an unknown key');
    const foreign = await new SignJWT({}).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' }).sign(privateKey);
    t.equal(await check(Promise.resolve(foreign)), false, 'another key');
    t.equal(await check(Promise.resolve('nonsense')), false);
  });

  await t.test('not one of the former owner of a daemon', async (t) => {
    await daemons.remove(daemonId, anna.id);
    t.equal(await check(token()), false);
    await daemons.register({ ...daemon, accountId: ben.id });
    t.equal(await check(token()), false);
    await daemons.remove(daemonId, ben.id);
    await daemons.register({ ...daemon, accountId: anna.id });
    t.equal(await check(token()), true);
  });

  await t.test('a revoked grant ends its tokens at once, and its daemons are told', async (t) => {
    t.match(await grants.ofAccount(anna.id), [{ grantId, daemonIds: [daemonId] }]);
    const attic = { daemonId, accountId: anna.id };
    t.same(await grants.endedFor(attic, [grantId, 'invented']), ['invented']);
    t.same(await grants.endedFor({ ...attic, accountId: ben.id }, [grantId]), [grantId], 'not for another account');
    t.same(await grants.endedFor({ ...attic, daemonId: randomUUID() }, [grantId]), [grantId], 'nor another daemon');
    await grants.revoke(grantId, ben.id);
    t.equal(await check(token()), true, "another account's wish does nothing");
    await grants.revoke(grantId, anna.id);
    t.equal(await check(token()), false);
    t.same(told, [`${daemonId} ${grantId}`]);
    t.same(await grants.endedFor(attic, [grantId]), [grantId], 'the daemon may ask later');
    t.same(await grants.ofAccount(anna.id), []);
    await grants.revoke(grantId, anna.id);
    t.equal(told.length, 1, 'once');
  });

  await t.test('what has ended is removed in time', async (t) => {
    const unused = new provider.Grant({ accountId: anna.id, clientId: 'bot' });
    unused.addResourceScope(`urn:uuid:${daemonId}`, 'servers:read');
    await unused.save();
    await grants.removeUnused();
    t.equal((await grants.ofAccount(anna.id)).length, 1, 'a program may not have asked for its token yet');
    store.clock.ahead += 25 * 60 * 60 * 1000;
    await grants.removeUnused();
    t.same(await store.database.selectFrom('oauth_item').selectAll().execute(), []);
    t.same(await store.database.selectFrom('revoked_grant').selectAll().execute(), []);
  });

  await t.test('an account keeps its newest grants, up to a limit', async (t) => {
    const allowOne = () =>
      allow(
        { oauth, grants },
        { clientId: 'bot', scopes: ['servers:read'], identityScopes: [], daemonIds: [], isLink: false },
        { accountId: anna.id, daemonIds: [daemonId] },
      );
    const first = await allowOne();
    store.clock.ahead += 1000;
    let last = first;
    for (let n = 1; n < MOST_GRANTS; n++) last = await allowOne();
    t.equal((await grants.ofAccount(anna.id)).length, MOST_GRANTS);
    t.ok(await grants.find(first.grantId, anna.id));
    last = await allowOne();
    t.equal((await grants.ofAccount(anna.id)).length, MOST_GRANTS);
    t.match(await grants.find(last.grantId, anna.id), { daemonIds: [daemonId], scopes: ['servers:read'] });
    t.equal(await grants.find(last.grantId, ben.id), undefined, "not another account's");
    t.equal(await grants.find(first.grantId, anna.id), undefined);
    t.equal(await grants.isRevoked(first.grantId), true, 'with its tokens');
  });
});
