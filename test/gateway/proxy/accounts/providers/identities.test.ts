/** Accounts at providers, on both databases: what connects them, and what does not. */
import t from 'tap';
import { createAccounts } from '../../../../../gateway/proxy/accounts/accounts.ts';
import { createAdministration } from '../../../../../gateway/proxy/accounts/administration/administration.ts';
import { createInvitations } from '../../../../../gateway/proxy/accounts/invitations/invitations.ts';
import { createSignUp } from '../../../../../gateway/proxy/accounts/invitations/sign-up.ts';
import { createCeremonies } from '../../../../../gateway/proxy/accounts/passkeys/ceremonies.ts';
import { createIdentities } from '../../../../../gateway/proxy/accounts/providers/identities.ts';
import { createSessions } from '../../../../../gateway/proxy/accounts/sessions/sessions.ts';
import { createRequireWayToSignIn } from '../../../../../gateway/proxy/accounts/sign-in/ways-to-sign-in.ts';
import { withEachDatabase } from '../../../../support/proxy/proxy-store.ts';

const FROM = { userAgent: 'Firefox/140', address: '203.0.113.7' };
const GITHUB = 'https://github.com/login/oauth';
const GOOGLE = 'https://accounts.google.com';

withEachDatabase(t, async (t, store) => {
  const { database, now } = store;
  const accounts = createAccounts(database, now);
  const administration = createAdministration(database, now);
  const sessions = createSessions(store);
  const identitiesWith = (...issuers: string[]) =>
    createIdentities({ database, requireWayToSignIn: createRequireWayToSignIn('play.example.net', issuers), now });
  const identities = identitiesWith(GITHUB, GOOGLE);
  const ceremonies = createCeremonies({ ...store, issuer: 'https://play.example.net' });
  const invitations = createInvitations(store);
  const signUp = createSignUp({ database, invitations, ceremonies, now });

  async function addUser(name: string, passwordHash?: string) {
    const account = await accounts.add({ name, isAdmin: false, ...(passwordHash !== undefined && { passwordHash }) });
    const session = await sessions.find((await sessions.begin({ account, ...FROM })) ?? '');
    if (!session) throw new Error('no session');
    return { account, session };
  }

  await t.test('a subject of one issuer belongs to one account', async (t) => {
    const [anna, ben] = [await addUser('anna', 'a hash'), await addUser('ben', 'a hash')];
    const identity = { issuer: GITHUB, subject: '1', label: 'anna' };
    const raced = await Promise.allSettled([identities.connect(anna, identity), identities.connect(ben, identity)]);
    t.equal(raced.filter(({ status }) => status === 'fulfilled').length, 1, 'of two at once');
    const owner = await identities.accountOf(identity);
    const other = owner?.id === anna.account.id ? ben : anna;
    await t.rejects(identities.connect(other, identity), { code: 'invalid_state' });
    t.equal(await identities.accountOf({ ...identity, issuer: GOOGLE }), undefined, 'the same subject elsewhere');
    t.equal(await identities.accountOf({ ...identity, subject: '2' }), undefined, 'the same name');
    t.equal(await identities.connect(other, { ...identity, subject: '2' }), true);
    await t.rejects(identities.connect(other, { ...identity, subject: '3' }), { code: 'invalid_state' });
  });

  await t.test('what was verified before a change does nothing', async (t) => {
    const cara = await addUser('cara', 'a hash');
    const identity = { issuer: GITHUB, subject: '10', label: 'cara' };
    t.equal(await identities.connect(cara, identity), true);
    const proven = await identities.accountOf(identity);
    if (!proven) throw new Error('not found');
    t.equal(await identities.remove(cara, GITHUB), true);
    t.equal(await sessions.begin({ account: proven, ...FROM }), undefined, 'a sign-in by the removed one');
    t.equal(await identities.connect(cara, identity), false);
    t.equal(await identities.remove(cara, GITHUB), false);
    t.equal(await identities.accountOf(identity), undefined);
  });

  await t.test('the last way to sign in stays, and a provider that is not configured is none', async (t) => {
    const dora = await addUser('dora');
    await identities.connect(dora, { issuer: GITHUB, subject: '20', label: 'dora' });
    await t.rejects(identities.remove(dora, GITHUB), { code: 'invalid_state' });
    await identities.connect(dora, { issuer: GOOGLE, subject: '20', label: 'dora' });
    await t.rejects(identitiesWith(GITHUB).remove(dora, GITHUB), { code: 'invalid_state' });
    t.equal(await identities.remove(dora, GITHUB), true);
    t.match(await identities.ofAccount(dora.account.id), [{ issuer: GOOGLE, label: 'dora' }]);
  });

  await t.test('a disabled account is not found', async (t) => {
    const emil = await addUser('emil');
    const identity = { issuer: GITHUB, subject: '30', label: 'emil' };
    await identities.connect(emil, identity);
    await administration.disable(emil.account.id);
    t.equal(await identities.accountOf(identity), undefined);
  });

  await t.test('an account begins with a provider', async (t) => {
    const identity = { issuer: GITHUB, subject: '40', label: 'fay' };
    const created = await invitations.create({ note: '', isAdmin: false, days: 1 }, { name: 'command line' });
    if (!created) throw new Error('not invited');
    t.match(await signUp.redeem(created.token, 'fay', { identity }), { name: 'fay' });
    t.match(await identities.accountOf(identity), { name: 'fay' });
    await t.rejects(signUp.uninvited('gil', { identity }), { code: 'invalid_state' }, 'it has an account');
    t.equal(await accounts.isTaken('gil'), false);
    t.match(await signUp.uninvited('gil', { identity: { ...identity, subject: '41' } }), { name: 'gil' });
  });
});
