import t, { type Test } from 'tap';
import { openConsole, refusalOf } from '../../../support/console/console-client.ts';
import { isProblem } from '../../../support/http/problem.ts';
import { until } from '../../../support/machine/until.ts';
import { build, PASSWORD } from '../../../support/processes/gateway-app.ts';

/** A signed-in administrator. */
async function administered(t: Test) {
  const world = await build(t);
  await world.addUser('admin', 'admin');
  const headers = await world.cookie('admin');
  const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, auth = headers) =>
    world.app.inject({ method, url: `/api/users${path}`, headers: auth, ...(payload && { payload }) });
  const signIn = (username: string, password = PASSWORD) =>
    world.app.inject({ method: 'POST', url: '/api/login', payload: { username, password } });
  return { ...world, headers, ask, signIn };
}

t.test('a user is created, listed, changed and deleted', async (t) => {
  const { ask, signIn } = await administered(t);
  const made = await ask('POST', '', { username: 'Ann.B', role: 'viewer', password: 'longer than 8' });
  t.equal(made.statusCode, 201);
  t.equal(made.headers.location, '/api/users/Ann.B');
  const { createdAt, ...user } = made.json();
  t.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 10_000);
  t.same(user, {
    username: 'Ann.B',
    role: 'viewer',
    instances: ['*'],
    disabled: false,
    mustChangePassword: false,
    totp: false,
  });
  t.same((await ask('GET', '/ann.b')).json(), made.json(), 'ignores case');
  t.same(
    (await ask('GET', '')).json().map(({ username }: { username: string }) => username),
    ['admin', 'Ann.B'],
  );
  t.match((await signIn('ann.B', 'longer than 8')).json(), { username: 'Ann.B', role: 'viewer' });

  const change = { role: 'operator', instances: ['demo', { id: 'demo', role: 'viewer' }] };
  isProblem(t, await ask('PATCH', '/ann.b', change), 'invalid_request', 'an instance twice');
  isProblem(t, await ask('PATCH', '/ann.b', { instances: ['nowhere'] }), 'invalid_request', 'one that is not there');
  const changed = await ask('PATCH', '/ANN.B', { role: 'operator', instances: [{ id: 'demo', role: 'viewer' }] });
  t.match(changed.json(), { username: 'Ann.B', role: 'operator', instances: [{ id: 'demo', role: 'viewer' }] });

  t.equal((await ask('DELETE', '/ann.b')).statusCode, 204);
  isProblem(t, await ask('GET', '/ann.b'), 'user_not_found');
  isProblem(t, await ask('PATCH', '/ann.b', { role: 'viewer' }), 'user_not_found');
  isProblem(t, await ask('DELETE', '/ann.b'), 'user_not_found');
});

t.test('user names are ASCII words, and case does not distinguish them', async (t) => {
  const { ask } = await administered(t);
  const make = (username: unknown) => ask('POST', '', { username, role: 'viewer', password: 'longer than 8' });
  for (const username of [
    '',
    'command line',
    ' ann',
    '-ann',
    'a/b',
    'a\u0000b',
    '../x',
    'änn',
    'аdmin',
    'a'.repeat(65),
    7,
  ])
    isProblem(t, await make(username), 'invalid_request', JSON.stringify(username));
  for (const username of ['admin', 'ADMIN', 'aDmin']) isProblem(t, await make(username), 'user_exists', username);
  for (const username of ['a', 'constructor', 'ann@example.org', 'a'.repeat(64)])
    t.equal((await make(username)).statusCode, 201, username);
});

t.test('without a password one is generated, shown once, and must be changed', async (t) => {
  const { ask, signIn, app, daemon } = await administered(t);
  const made = await ask('POST', '', { username: 'ann', role: 'viewer' });
  const { password } = made.json();
  t.match(password, /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
  t.equal(made.headers['cache-control'], 'no-store');
  t.match(made.json(), { mustChangePassword: true });
  t.equal((await ask('GET', '/ann')).json().password, undefined);
  t.notMatch(JSON.stringify(daemon.database.prepare('SELECT * FROM users').all()), password);
  const signedIn = await signIn('ann', password);
  t.match(signedIn.json(), { mustChangePassword: true });
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
  isProblem(t, await app.inject({ url: '/instances', headers: { cookie } }), 'password_change_required');
  for (const bad of ['short', 'x'.repeat(257)])
    isProblem(t, await ask('POST', '', { username: 'bob', role: 'viewer', password: bad }), 'invalid_request');
});

t.test('a new password or disabling a user ends all sessions at once', async (t) => {
  const { ask, signIn, app, addUser, cookie } = await administered(t);
  await addUser('ann', 'viewer');
  const status = async (headers: object) =>
    (await app.inject({ url: '/instances', headers: { ...headers } })).statusCode;
  const [one, two] = [await cookie('ann'), await cookie('ann')];
  t.equal((await ask('PATCH', '/ann', { password: 'another password' })).statusCode, 200);
  t.same([await status(one), await status(two)], [401, 401]);
  t.equal((await signIn('ann')).statusCode, 401);
  t.equal((await signIn('ann', 'another password')).statusCode, 200);

  const three = await cookie('ann');
  t.equal(await status(three), 200);
  t.match((await ask('PATCH', '/ann', { disabled: true })).json(), { disabled: true });
  t.equal(await status(three), 401);
  const refused = await signIn('ann', 'another password');
  t.same(
    refused.json(),
    (await signIn('nobody', 'another password')).json(),
    'the same response as for an unknown user',
  );
  t.equal((await ask('PATCH', '/ann', { disabled: false })).statusCode, 200);
  t.equal((await signIn('ann', 'another password')).statusCode, 200);
  t.equal(await status(three), 401, 'ended sessions stay ended');
});

t.test('a new role applies at once, also to open connections', async (t) => {
  const { ask, app, addUser, cookie } = await administered(t);
  await addUser('ann', 'operator');
  const headers = await cookie('ann');
  const console = await openConsole(t, app, { headers: { cookie: headers.cookie } });
  const start = () => app.inject({ method: 'POST', url: '/instances/demo/start', headers });
  t.equal((await start()).statusCode, 200);
  t.equal((await ask('PATCH', '/ann', { role: 'viewer' })).statusCode, 200);
  isProblem(t, await start(), 'insufficient_scope');
  console.socket.send('op ann');
  await console.until(({ text }) => text().includes('[gamekeeper] not allowed'));
  t.equal((await app.inject({ url: '/instances', headers })).statusCode, 200, 'the session is still valid');
});

t.test('deleting a user ends sessions, tokens and consoles, also for a new user of that name', async (t) => {
  const { ask, app, addUser, cookie, bearer } = await administered(t);
  await addUser('ann', 'operator');
  const [session, token] = [await cookie('ann'), await bearer(['servers:read', 'logs:read'], 'ann')];
  const consoles = await Promise.all(
    [{ cookie: session.cookie }, token].map((headers) => openConsole(t, app, { headers })),
  );
  const ticket = await app.inject({ method: 'POST', url: '/api/instances/demo/console-ticket', headers: session });
  const closed = consoles.map((one) => one.closed());
  t.equal((await ask('DELETE', '/ann')).statusCode, 204);
  t.match(await Promise.all(closed), [{ code: 1008 }, { code: 1008 }]);
  await addUser('ann', 'admin');
  for (const headers of [session, token])
    isProblem(t, await app.inject({ url: '/instances', headers }), 'unauthenticated');
  const path = `/ws/instances/demo/console?ticket=${ticket.json().ticket}`;
  isProblem(t, await refusalOf(t, app, { path }), 'unauthenticated', 'nor the ticket');
});

t.test('the last administrator cannot be removed, disabled or demoted', async (t) => {
  const { ask, addUser, listener, daemon } = await administered(t);
  const local = await listener({ local: true });
  const asLocal = (method: 'PATCH' | 'DELETE', payload?: object) =>
    local.inject({ method, url: '/api/users/admin', ...(payload && { payload }) });
  await addUser('ann', 'operator');
  for (const change of [{ role: 'operator' }, { disabled: true }])
    isProblem(t, await asLocal('PATCH', change), 'last_administrator', JSON.stringify(change));
  isProblem(t, await asLocal('DELETE'), 'last_administrator');
  t.equal((await ask('PATCH', '/ann', { role: 'admin' })).statusCode, 200);
  t.equal((await ask('PATCH', '/ann', { disabled: true })).statusCode, 200);
  isProblem(t, await asLocal('DELETE'), 'last_administrator', 'one who cannot sign in does not count');
  t.equal((await ask('PATCH', '/ann', { disabled: false })).statusCode, 200);

  const both = await Promise.all(
    ['admin', 'ann'].map((username) =>
      local.inject({ method: 'PATCH', url: `/api/users/${username}`, payload: { role: 'viewer' } }),
    ),
  );
  t.same(both.map(({ statusCode }) => statusCode).sort(), [200, 409], 'concurrent removals leave one administrator');
  t.equal(daemon.users().filter(({ role }) => role === 'admin').length, 1);
});

t.test('users cannot lock themselves out, and must re-authenticate to change their own credentials', async (t) => {
  const { ask, addUser } = await administered(t);
  await addUser('ann', 'admin');
  isProblem(t, await ask('DELETE', '/ADMIN'), 'own_account');
  for (const change of [{ role: 'viewer' }, { disabled: true }, { password: 'longer than 8' }, { totp: false }])
    isProblem(t, await ask('PATCH', '/admin', change), 'own_account', JSON.stringify(change));
  t.equal((await ask('PATCH', '/admin', { role: 'admin' })).statusCode, 200);
  isProblem(t, await ask('PATCH', '/admin', { instances: ['demo'] }), 'invalid_request', 'an administrator has all');
  isProblem(t, await ask('POST', '', { username: 'eve', role: 'admin', instances: ['demo'] }), 'invalid_request');
});

t.test('only signed-in administrators manage users', async (t) => {
  const { ask, addUser, cookie, bearer, daemon } = await administered(t);
  await addUser('op', 'operator');
  await addUser('eyes', 'viewer');
  const before = daemon.users();
  for (const auth of [await cookie('op'), await cookie('eyes'), await bearer(undefined, 'admin'), await bearer()]) {
    isProblem(t, await ask('GET', '', undefined, auth as never), 'insufficient_scope');
    isProblem(t, await ask('POST', '', { username: 'eve', role: 'admin' }, auth as never), 'insufficient_scope');
    isProblem(t, await ask('PATCH', '/op', { role: 'admin' }, auth as never), 'insufficient_scope');
    isProblem(t, await ask('DELETE', '/admin', undefined, auth as never), 'insufficient_scope');
  }
  t.same(daemon.users(), before);
});

t.test('an answer from before a change is not remembered, even if the event is late', async (t) => {
  const { app, addUser, daemon, bearer, gateway } = await administered(t);
  await addUser('ann', 'operator');
  const headers = await bearer(undefined, 'ann');
  const real = daemon.user;
  let answer: () => void = () => undefined;
  // The daemon's answer from before the change arrives after the change.
  daemon.user = ((username: string) => {
    const stale = real(username);
    daemon.user = real;
    return new Promise((resolve) => {
      answer = () => resolve(stale);
    });
  }) as never;
  const early = app.inject({ method: 'POST', url: '/instances/demo/start', headers });
  await until('the daemon is being asked', () => daemon.user === real);
  const told = new Promise<void>((resolve) => gateway.credentials.onChange(() => resolve()));
  daemon.updateUser({ username: 'ann', change: { role: 'viewer' }, by: null });
  await told;
  answer();
  isProblem(t, await early, 'insufficient_scope', 'the question is asked again');
  isProblem(t, await app.inject({ method: 'POST', url: '/instances/demo/start', headers }), 'insufficient_scope');
});
