/** Nobody can sign others out, or keep them out, with invented credentials, changes of their own account or requests from the same address. */
import t, { type Test } from 'tap';
import { build, PASSWORD, type World } from '../support/processes/gateway-app.ts';

const FEW = { limits: { requestsPerSecond: 1, burst: 5 } };
const MORE_THAN_FEW = 20;

/** Counts the questions about credentials that reach the daemon. */
function countQuestions({ daemon }: World): { asked: string[] } {
  const asked: string[] = [];
  const { session, token } = daemon;
  daemon.session = (tokenHash) => {
    const found = session(tokenHash);
    asked.push(found?.username ?? 'nobody');
    return found;
  };
  daemon.token = (id) => {
    const found = token(id);
    asked.push(`token of ${found?.createdBy ?? 'nobody'}`);
    return found;
  };
  return { asked };
}

/** A gateway in which Ann, Ben and a token of Ann are signed in and cached. */
async function signedIn(t: Test) {
  const world = await build(t);
  for (const name of ['ann', 'ben']) await world.addUser(name, 'operator', { instances: ['demo'] });
  await world.addUser('boss', 'admin');
  const credentials = {
    ann: await world.cookie('ann'),
    ben: await world.cookie('ben'),
    token: await world.bearer(undefined, 'ann'),
  };
  const ask = async () => {
    for (const headers of Object.values(credentials))
      t.equal((await world.app.inject({ url: '/instances', headers })).statusCode, 200);
  };
  await ask();
  const { asked } = countQuestions(world);
  await ask();
  t.same(asked, [], 'cached');
  return { world, ask, asked };
}

t.test('a change of one user leaves the cached credentials of the others', async (t) => {
  const { world, ask, asked } = await signedIn(t);
  const headers = await world.cookie('boss');
  const payload = { role: 'viewer' };
  const changed = await world.app.inject({ method: 'PATCH', url: '/api/users/ben', headers, payload });
  t.equal(changed.statusCode, 200, changed.body);
  asked.length = 0;
  await ask();
  t.same(asked, ['ben']);
});

t.test('the end of an instance leaves the cached credentials of those who had no grant on it', async (t) => {
  const { world, ask, asked } = await signedIn(t);
  await world.app.inject({ method: 'POST', url: '/instances', headers: await world.bearer(), payload: OTHER });
  await world.addUser('cid', 'operator', { instances: ['other'] });
  const headers = await world.cookie('cid');
  t.equal((await world.app.inject({ url: '/instances/other', headers })).statusCode, 200);
  const removed = await world.app.inject({ method: 'DELETE', url: '/instances/other', headers: await world.bearer() });
  t.equal(removed.statusCode, 204, removed.body);
  asked.length = 0;
  await ask();
  t.same(asked, []);
  await world.app.inject({ url: '/instances', headers });
  t.same(asked, ['cid']);
});

const OTHER = { name: 'Other', software: 'demo' };

t.test('signing out with an invented cookie changes nothing', async (t) => {
  const { gateway, app } = await build(t);
  const { changes } = gateway.credentials;
  const headers = { cookie: 'RemoteCookies=invented', origin: 'http://localhost:80' };
  t.equal((await app.inject({ method: 'POST', url: '/api/logout', headers, payload: {} })).statusCode, 204);
  t.equal(gateway.credentials.changes, changes);
});

t.test('invented cookies do not lock out users at the same address', async (t) => {
  const world = await build(t, { settings: FEW });
  const { app, cookie } = world;
  const headers = await cookie();
  const [, signature = ''] = headers.cookie.split('.');
  const statuses = [];
  for (let n = 0; n < MORE_THAN_FEW; n++) {
    const invented = `RemoteCookies=${'x'.repeat(40)}${n}.${signature}`;
    statuses.push((await app.inject({ url: '/instances', headers: { cookie: invented } })).statusCode);
  }
  t.equal(statuses.at(-1), 429);
  t.equal((await app.inject({ url: '/instances', headers })).statusCode, 200, 'a session that is not cached');
});

t.test('a session or token that has ended does not reach the daemon any number of times', async (t) => {
  const world = await build(t, { settings: FEW });
  const { app, cookie, bearer, daemon, gateway } = world;
  const session = await cookie();
  await gateway.credentials.sessions.end(session.cookie.replace('RemoteCookies=', ''));
  const token = await bearer();
  daemon.revokeToken({ id: 't1', by: null });
  const { asked } = countQuestions(world);
  for (const headers of [session, token]) {
    asked.length = 0;
    for (let n = 0; n < MORE_THAN_FEW; n++) await app.inject({ url: '/instances', headers });
    t.ok(asked.length > 0 && asked.length <= 6, `${asked.length} questions`);
  }
});

t.test('many sessions of one user do not drop those of others all the time', async (t) => {
  const world = await build(t);
  await world.addUser('ann', 'viewer');
  const { sessions } = world.gateway.credentials;
  const ofAnn = await world.cookie('ann');
  for (let n = 0; n < 999; n++) {
    const { value } = await sessions.open(world.daemon.user('admin') ?? (await admin(world)), Date.now());
    await sessions.find(value, Date.now());
  }
  await world.app.inject({ url: '/instances', headers: ofAnn });
  const { asked } = countQuestions(world);
  const headers = await world.cookie();
  await world.app.inject({ url: '/instances', headers });
  await world.app.inject({ url: '/instances', headers: ofAnn });
  t.same(asked, ['admin'], 'only the oldest is dropped');
});

async function admin(world: World) {
  await world.addUser('admin', 'admin');
  return world.daemon.user('admin')!;
}

t.test('pages, sign-ins and other requests from an address do not use up each other', async (t) => {
  const { app, addUser } = await build(t, { settings: FEW });
  await addUser('admin', 'admin');
  const payload = { username: 'admin', password: PASSWORD };
  const requests = {
    page: () => app.inject('/docs/errors'),
    'sign-in': () => app.inject({ method: 'POST', url: '/api/login', payload }),
    other: () => app.inject('/instances'),
  };
  for (const [what, request] of Object.entries(requests)) {
    const first = await request();
    t.not(first.statusCode, 429, what);
    for (let n = 0; n < MORE_THAN_FEW; n++) await request();
    t.equal((await request()).statusCode, 429, what);
  }
});
