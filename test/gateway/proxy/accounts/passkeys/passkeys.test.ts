/** Passkeys, on both databases, with an authenticator that signs whatever the test wants. */
import t from 'tap';
import { type Account, createAccounts } from '../../../../../gateway/proxy/accounts/accounts.ts';
import { createAdministration } from '../../../../../gateway/proxy/accounts/administration/administration.ts';
import { createAudit } from '../../../../../gateway/proxy/accounts/audit.ts';
import { createCeremonies } from '../../../../../gateway/proxy/accounts/passkeys/ceremonies.ts';
import { createCheckPasskey } from '../../../../../gateway/proxy/accounts/passkeys/check-passkey.ts';
import { createPasskeys } from '../../../../../gateway/proxy/accounts/passkeys/passkeys.ts';
import { removeExpiredPending } from '../../../../../gateway/proxy/accounts/pending.ts';
import { createSessions } from '../../../../../gateway/proxy/accounts/sessions/sessions.ts';
import { createRequireWayToSignIn } from '../../../../../gateway/proxy/accounts/sign-in/ways-to-sign-in.ts';
import { withEachDatabase } from '../../../../support/proxy/proxy-store.ts';
import { SoftAuthenticator } from '../../../../support/proxy/soft-authenticator.ts';

const ISSUER = 'https://play.example.net';
const FROM = { userAgent: 'Firefox/140', address: '203.0.113.7' };

withEachDatabase(t, async (t, store) => {
  const { database, now, clock } = store;
  const accounts = createAccounts(database, now);
  const sessions = createSessions(store);
  const audit = createAudit(database, now);
  const passkeysAt = (issuer: string) => {
    const ceremonies = createCeremonies({ ...store, issuer });
    const requireWayToSignIn = createRequireWayToSignIn(ceremonies.rpId, []);
    return createPasskeys({ database, ceremonies, requireWayToSignIn, now });
  };
  const passkeys = passkeysAt(ISSUER);
  const check = createCheckPasskey({ passkeys, audit, now });
  const present = (response: object) => check(JSON.stringify(response), FROM.address);

  async function signedIn(account: Account) {
    const session = await sessions.find((await sessions.begin({ account, ...FROM })) ?? '');
    if (!session) throw new Error('no session');
    return { account, session };
  }
  async function addUser(name: string, passwordHash?: string) {
    return signedIn(await accounts.add({ name, ...(passwordHash !== undefined && { passwordHash }), isAdmin: false }));
  }
  async function withPasskey(user: Awaited<ReturnType<typeof addUser>>, name = 'Phone') {
    const device = new SoftAuthenticator(ISSUER);
    const response = device.create(await passkeys.beginAdding(user.account));
    t.equal(await passkeys.add(user, response, name), true);
    return { device, response };
  }
  const use = async (device: SoftAuthenticator, deviation = {}) =>
    present(device.get(await passkeys.beginUse(), deviation));

  await t.test('a passkey signs in to its account, each response once', async (t) => {
    const anna = await addUser('anna');
    const { device } = await withPasskey(anna);
    const response = device.get(await passkeys.beginUse());
    t.match(await present(response), { id: anna.account.id, name: 'anna', version: 1 });
    t.equal(await present(response), undefined, 'a replay');
    t.match(await passkeys.ofAccount(anna.account.id), [{ name: 'Phone', usedAt: Date, isForeign: false }]);
    const options = await passkeys.beginUse();
    const raced = await Promise.all(Array.from({ length: 8 }, () => present(device.get(options))));
    t.equal(raced.filter(Boolean).length, 1, 'of eight responses to one challenge at once, one works');
    const stored = JSON.stringify(await database.selectFrom('pending').selectAll().execute());
    const { challenge } = (await passkeys.beginUse()) as { challenge: string };
    t.notOk(stored.includes(challenge));
  });

  await t.test('an address is throttled as with passwords, whatever account it tries', async (t) => {
    const { device } = await withPasskey(await addUser('paul'));
    const from = async (address: string, response: object) => check(JSON.stringify(response), address);
    const good = async () => device.get(await passkeys.beginUse());
    const [attacker, neighbour] = ['198.51.100.9', '198.51.100.10'];
    for (let count = 0; count < 49; count++) t.equal(await from(attacker, { id: 'guess' }), undefined);
    t.match(await from(attacker, await good()), { name: 'paul' }, 'a good one does not count');
    t.equal(await from(attacker, {}), undefined);
    const refusal = { code: 'rate_limited', retryAfterSeconds: Number };
    await t.rejects(from(attacker, { id: 'guess' }), refusal);
    await t.rejects(from(attacker, await good()), refusal, 'nothing is checked any more');
    t.match(await from(neighbour, await good()), { name: 'paul' });
    clock.ahead += 16 * 60_000;
    t.match(await from(attacker, await good()), { name: 'paul' }, 'after a quarter of an hour');
  });

  await t.test('a response that differs in anything is refused', async (t) => {
    const ben = await addUser('ben');
    const { device } = await withPasskey(ben);
    const { device: other } = await withPasskey(await addUser('bea'));
    const stranger = new SoftAuthenticator(ISSUER);
    for (const [what, deviation] of Object.entries({
      'a page of a daemon': { origin: 'https://attic.play.example.net' },
      'another port': { origin: `${ISSUER}:8443` },
      'another host': { rpId: 'example.net' },
      'no finger or PIN': { isVerified: false },
      'another account': { userHandle: Buffer.from('somebody').toString('base64url') },
      'an invented challenge': { challenge: Buffer.alloc(32).toString('base64url') },
    }))
      t.equal(await use(device, deviation), undefined, what);
    t.equal(await use(stranger), undefined, 'a passkey that nobody has');
    const swapped = { ...device.get(await passkeys.beginUse()), id: other.id, rawId: other.id };
    t.equal(await present(swapped), undefined, 'the id of another passkey');
    for (const text of ['', '{}', 'null', '[]', '{"response":{}}', '{"response":{"clientDataJSON":"bnVsbA"}}', 'x'])
      t.equal(await check(text, FROM.address), undefined, text);
    const late = device.get(await passkeys.beginUse());
    clock.ahead += 11 * 60_000;
    t.equal(await present(late), undefined, 'a challenge that has expired');
    await passkeys.beginUse();
    clock.ahead += 11 * 60_000;
    await removeExpiredPending(database, now());
    t.same(await database.selectFrom('pending').selectAll().execute(), []);
    t.match(await use(device), { name: 'ben' }, 'the right one still works');
  });

  await t.test('a challenge is for one account and one purpose', async (t) => {
    const [cara, dora] = [await addUser('cara'), await addUser('dora')];
    const device = new SoftAuthenticator(ISSUER);
    const options = await passkeys.beginAdding(cara.account);
    t.equal(await passkeys.add(dora, device.create(options), 'x'), false, 'the challenge of another account');
    t.equal(await passkeys.add(cara, device.create(options), 'x'), false, 'which is used up now');
    const forUse = { ...options, ...(await passkeys.beginUse()) };
    t.equal(await passkeys.add(cara, device.create(forUse), 'x'), false, 'a challenge for a sign-in');
    const { device: added, response } = await withPasskey(cara);
    t.equal(await passkeys.add(cara, response, 'x'), false, 'a replay');
    const forCreation = { ...(await passkeys.beginUse()), ...(await passkeys.beginAdding(cara.account)) };
    t.equal(await present(added.get(forCreation, { rpId: 'play.example.net' })), undefined);
    const again = added.create(await passkeys.beginAdding(dora.account));
    t.equal(await passkeys.add(dora, again, 'x'), false, 'a passkey belongs to one account');
    t.match(await use(added, { userHandle: Buffer.from(cara.account.id).toString('base64url') }), { name: 'cara' });
    const unverified = new SoftAuthenticator(ISSUER).create(await passkeys.beginAdding(dora.account), {
      isVerified: false,
    });
    t.equal(await passkeys.add(dora, unverified, 'x'), false, 'no finger or PIN');
  });

  await t.test('a counter that does not rise is that of a copy', async (t) => {
    const emil = await addUser('emil');
    const { device } = await withPasskey(emil);
    t.match(await use(device, { counter: 5 }), { name: 'emil' });
    for (const counter of [5, 4, 0]) t.equal(await use(device, { counter }), undefined, `${counter} after 5`);
    const [entry] = await audit.ofAccount(emil.account.id, 10);
    t.match(entry, { action: 'passkey.refused', address: FROM.address });
    t.match(await use(device, { counter: 6 }), { name: 'emil' });
    const options = await Promise.all([passkeys.beginUse(), passkeys.beginUse(), passkeys.beginUse()]);
    const raced = await Promise.all(options.map((one) => present(device.get(one, { counter: 7 }))));
    t.equal(raced.filter(Boolean).length, 1, 'a count is good for one use, also at once');
  });

  await t.test('what was verified before a change does nothing', async (t) => {
    const fay = await addUser('fay', 'a hash');
    const { device } = await withPasskey(fay);
    const response = new SoftAuthenticator(ISSUER).create(await passkeys.beginAdding(fay.account));
    const [passkey] = await passkeys.ofAccount(fay.account.id);
    t.equal(await accounts.setPassword(fay, 'another hash'), true);
    t.equal(await passkeys.add(fay, response, 'x'), false, 'add');
    t.equal(await passkeys.remove(fay, passkey?.id ?? ''), undefined, 'remove');
    const checked = await use(device);
    if (!checked) throw new Error('refused');
    const now_ = { ...fay, account: checked };
    const other = await signedIn(checked);
    t.match(await passkeys.remove(now_, passkey?.id ?? ''), { name: 'Phone' });
    t.equal(await sessions.begin({ account: checked, ...FROM }), undefined, 'a sign-in by the removed passkey');
    t.same(
      (await sessions.ofAccount(fay.account.id)).map(({ id }) => id),
      [fay.session.id],
    );
    t.equal(await sessions.confirm(other), false);
    t.equal(await use(device), undefined);
  });

  await t.test('passkeys of a disabled account do nothing', async (t) => {
    const gus = await addUser('gus');
    const { device } = await withPasskey(gus);
    await createAdministration(database, now).disable(gus.account.id);
    t.equal(await use(device), undefined);
  });

  await t.test('the last way to sign in stays', async (t) => {
    const hal = await addUser('hal');
    await withPasskey(hal, 'Phone');
    await withPasskey(hal, 'Laptop');
    const [first, second] = await passkeys.ofAccount(hal.account.id);
    const removed = await Promise.allSettled([first, second].map((one) => passkeys.remove(hal, one?.id ?? '')));
    t.equal(removed.filter((one) => one.status === 'fulfilled' && one.value).length, 1, 'one of two at once');
    const account = await accounts.find(hal.account.id);
    if (!account) throw new Error('no account');
    const [last] = await passkeys.ofAccount(account.id);
    await t.rejects(passkeys.remove({ ...hal, account }, last?.id ?? ''), { code: 'invalid_state' });
    t.equal((await passkeys.ofAccount(account.id)).length, 1);
  });

  await t.test('an account has twenty at most, and removes only its own', async (t) => {
    const [ida, jon] = [await addUser('ida', 'a hash'), await addUser('jon', 'a hash')];
    await withPasskey(jon);
    const [foreign] = await passkeys.ofAccount(jon.account.id);
    t.equal(await passkeys.remove(ida, foreign?.id ?? ''), undefined);
    for (let count = 0; count < 20; count++) await withPasskey(ida, `Key ${count}`);
    await t.rejects(passkeys.beginAdding(ida.account), { code: 'invalid_state' });
  });

  await t.test('a passkey of another address of the proxy is shown, and does not count', async (t) => {
    const kim = await addUser('kim');
    await withPasskey(kim);
    const moved = passkeysAt('https://new.example.net');
    const [before] = await moved.ofAccount(kim.account.id);
    t.equal(before?.isForeign, true);
    const device = new SoftAuthenticator('https://new.example.net');
    t.equal(await moved.add(kim, device.create(await moved.beginAdding(kim.account)), 'New'), true);
    const added = (await moved.ofAccount(kim.account.id)).find(({ name }) => name === 'New');
    await t.rejects(moved.remove(kim, added?.id ?? ''), { code: 'invalid_state' });
  });
});
