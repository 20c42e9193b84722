/** Sessions and codes for panels, on both databases. */
import { randomBytes, randomUUID } from 'node:crypto';
import t from 'tap';
import { createAccounts } from '../../../../gateway/proxy/accounts/accounts.ts';
import { createSessions } from '../../../../gateway/proxy/accounts/sessions/sessions.ts';
import { createDaemons } from '../../../../gateway/proxy/daemons/directory.ts';
import { createPanelEntries, stateOf } from '../../../../gateway/proxy/panel/panel-entries.ts';
import { createPanelSessions } from '../../../../gateway/proxy/panel/panel-sessions.ts';
import { withEachDatabase } from '../../../support/proxy/proxy-store.ts';

const HOUR_MS = 3_600_000;

withEachDatabase(t, async (t, { database, vault, now, clock, again }) => {
  const accounts = createAccounts(database, now);
  const sessions = createSessions({ database, vault, now });
  const daemons = createDaemons(database, now);
  const panels = createPanelSessions({ database, vault, now });
  const elsewhere = createPanelSessions({ database: await again(), vault, now });

  const signIn = async (name: string) => {
    const account = await accounts.add({ name, passwordHash: '', isAdmin: false });
    const value = (await sessions.begin({ account, userAgent: '', address: '' })) ?? '';
    return { account, session: (await sessions.find(value))! };
  };
  const register = async (accountId: string) => {
    const daemonId = randomUUID();
    const publicKey = { kty: 'OKP', crv: 'Ed25519', x: daemonId };
    await daemons.register({ daemonId, accountId, name: 'Attic', publicKey, scopes: ['servers:read'] });
    return daemonId;
  };
  const [anna, ben] = [await signIn('anna'), await signIn('ben')];
  const [attic, cellar] = [await register(anna.account.id), await register(anna.account.id)];
  const owner = (daemonId: string) => ({ sessionId: anna.session.id, daemonId });

  await t.test('it is for one daemon, the same at every process, and replaced by the next', async (t) => {
    const value = (await panels.begin(owner(attic))) ?? '';
    const found = await elsewhere.find(value, attic);
    t.match(found, { accountId: anna.account.id });
    t.equal(await panels.find(value, cellar), undefined);
    t.equal(await panels.find('x', attic), undefined);
    const next = (await panels.begin(owner(attic))) ?? '';
    t.equal(await panels.find(value, attic), undefined);
    t.same(await elsewhere.ended([found!.name, (await panels.find(next, attic))!.name]), [found!.name]);
    const stored = JSON.stringify(await database.selectFrom('panel_session').selectAll().execute());
    t.notMatch(stored, next, 'the database has no cookie');
  });

  await t.test("nobody begins one for another account's daemon, or without a session", async (t) => {
    t.equal(await panels.begin({ sessionId: ben.session.id, daemonId: attic }), undefined);
    t.equal(await panels.begin({ sessionId: randomUUID(), daemonId: attic }), undefined);
    t.equal(await panels.begin(owner(randomUUID())), undefined);
  });

  await t.test('it ends after 12 hours, or when somebody ends it', async (t) => {
    const [one, other] = [(await panels.begin(owner(attic)))!, (await panels.begin(owner(cellar)))!];
    await panels.end((await panels.find(one, attic))!.name);
    t.equal(await elsewhere.find(one, attic), undefined);
    t.ok(await elsewhere.find(other, cellar));
    clock.ahead = 13 * HOUR_MS;
    t.equal(await panels.find(other, cellar), undefined);
    await panels.removeExpired();
    t.equal((await database.selectFrom('panel_session').selectAll().execute()).length, 0);
    clock.ahead = 0;
  });

  await t.test('it ends with the daemon and with the session at the proxy', async (t) => {
    const one = (await panels.begin(owner(attic)))!;
    await daemons.remove(attic, anna.account.id);
    t.equal(await panels.find(one, attic), undefined);
    const other = (await panels.begin(owner(cellar)))!;
    await sessions.end(anna.session.id, anna.account.id);
    t.equal(await elsewhere.find(other, cellar), undefined);
    t.equal(await panels.begin(owner(cellar)), undefined);
  });

  await t.test('a code is for one use, one daemon, one browser and one minute', async (t) => {
    const entries = createPanelEntries({ database, vault, now });
    const nonce = randomBytes(32).toString('base64url');
    const issue = () => entries.issue(owner(cellar), stateOf(nonce));
    const code = await issue();
    t.same(await entries.redeem(code, { daemonId: cellar, nonce }), owner(cellar));
    t.equal(await entries.redeem(code, { daemonId: cellar, nonce }), undefined);
    t.equal(await entries.redeem(await issue(), { daemonId: attic, nonce }), undefined);
    t.equal(await entries.redeem(await issue(), { daemonId: cellar, nonce: 'x' }), undefined);
    t.equal(await entries.redeem(await issue(), { daemonId: cellar, nonce: '' }), undefined);
    const late = await issue();
    clock.ahead = 61_000;
    t.equal(await entries.redeem(late, { daemonId: cellar, nonce }), undefined);
  });
});
