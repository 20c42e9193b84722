import t from 'tap';
import { isProblem } from '../../../support/http/problem.ts';
import { build, PASSWORD } from '../../../support/processes/gateway-app.ts';
import type { StandInDaemon } from '../../../support/stand-ins/stand-in-daemon.ts';

const HOUR_MS = 3_600_000;

function cookieIn(header: unknown): string {
  return String(header).split(';')[0] ?? '';
}

function sessionsIn({ database }: StandInDaemon) {
  return database.prepare('SELECT * FROM sessions').all();
}

t.test('signing in returns the user and sets the cookie with its attributes', async (t) => {
  const { app, addUser, daemon } = await build(t);
  await addUser('admin', 'admin');
  const answer = await app.inject({
    method: 'POST',
    url: '/api/login',
    payload: { username: 'admin', password: PASSWORD },
  });
  t.equal(answer.statusCode, 200);
  t.match(answer.json(), { username: 'admin', role: 'admin', mustChangePassword: false });
  const expiresIn = Date.parse(answer.json().expiresAt) - Date.now();
  t.ok(Math.abs(expiresIn - 12 * HOUR_MS) < 10_000, 'expires in twelve hours');
  const header = String(answer.headers['set-cookie']);
  t.match(header, /^RemoteCookies=[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{43}; /);
  t.same(header.split('; ').slice(1).sort(), ['HttpOnly', 'Path=/', 'SameSite=Strict']);
  const value = cookieIn(header).slice('RemoteCookies='.length);
  const [stored] = sessionsIn(daemon);
  t.match(stored?.token_hash, /^[0-9a-f]{64}$/, 'only a hash is stored');
  t.notMatch(JSON.stringify(stored), value);

  const headers = { cookie: `theme=dark; ${cookieIn(header)}` };
  t.match((await app.inject({ url: '/api/session', headers })).json(), { username: 'admin', role: 'admin' });
});

t.test('a wrong password and an unknown user get the same answer', async (t) => {
  const { app, addUser } = await build(t);
  await addUser('admin', 'admin');
  const login = (username: string) =>
    app.inject({ method: 'POST', url: '/api/login', payload: { username, password: 'wrong' } });
  const [wrong, unknown] = [await login('admin'), await login('nobody')];
  isProblem(t, wrong, 'unauthenticated');
  t.equal(wrong.headers['set-cookie'], undefined);
  t.same(wrong.json(), unknown.json());
});

t.test('five failures lock a user out from that address for 15 minutes, even with the right password', async (t) => {
  const { app, addUser, clock } = await build(t);
  await addUser('admin', 'admin');
  await addUser('other', 'viewer');
  const login = (username: string, password: string, remoteAddress = '192.0.2.1') =>
    app.inject({ method: 'POST', url: '/api/login', payload: { username, password }, remoteAddress });
  // Concurrent, because attempts in progress count as well.
  const failures = await Promise.all(Array.from({ length: 5 }, () => login('admin', 'wrong')));
  t.ok(failures.every(({ statusCode }) => statusCode === 401));
  const locked = await login('ADMIN', PASSWORD);
  isProblem(t, locked, 'rate_limited');
  t.ok(Number(locked.headers['retry-after']) > 890);
  t.equal((await login('other', PASSWORD)).statusCode, 200, 'another user is not blocked');
  t.equal((await login('admin', PASSWORD, '192.0.2.2')).statusCode, 200, 'another address is not blocked');
  clock.ahead += HOUR_MS / 4 + 1_000;
  t.equal((await login('admin', PASSWORD)).statusCode, 200, 'works again after the wait');
});

t.test('signing in ends the session of the cookie that the request carries', async (t) => {
  const { app, cookie, daemon } = await build(t);
  const planted = await cookie();
  const answer = await app.inject({
    method: 'POST',
    url: '/api/login',
    headers: planted,
    payload: { username: 'admin', password: PASSWORD },
  });
  t.equal(answer.statusCode, 200);
  t.equal(sessionsIn(daemon).length, 1);
  isProblem(t, await app.inject({ url: '/instances', headers: planted }), 'unauthenticated');
});

t.test('signing out ends the session and clears the cookie', async (t) => {
  const { app, cookie, daemon } = await build(t);
  const headers = await cookie();
  const answer = await app.inject({ method: 'POST', url: '/api/logout', headers });
  t.equal(answer.statusCode, 204);
  t.match(answer.headers['set-cookie'], /^RemoteCookies=; .*Expires=Thu, 01 Jan 1970/);
  t.equal(sessionsIn(daemon).length, 0);
  isProblem(t, await app.inject({ url: '/instances', headers }), 'unauthenticated');
  t.equal((await app.inject({ method: 'POST', url: '/api/logout' })).statusCode, 204, 'the same without a session');
});

t.test('a session ends after 12 idle hours, and after 7 days in any case', async (t) => {
  const { app, cookie, clock, daemon } = await build(t);
  const headers = await cookie();
  const status = async () => (await app.inject({ url: '/instances', headers })).statusCode;
  for (let hour = 0; hour < 7 * 24; hour += 11) {
    t.equal(await status(), 200, `after ${hour} hours`);
    clock.ahead += 11 * HOUR_MS;
  }
  t.equal(await status(), 401, 'after seven days');
  const ends = () => sessionsIn(daemon).map(({ expires_at, absolute_expires_at }) => [expires_at, absolute_expires_at]);
  while (ends()[0]?.[0] !== ends()[0]?.[1]) await new Promise(setImmediate);
  t.pass('the stored expiry has reached the absolute one');

  const idle = await cookie();
  clock.ahead += 12 * HOUR_MS + 1_000;
  t.equal((await app.inject({ url: '/instances', headers: idle })).statusCode, 401, 'after twelve idle hours');
});

t.test('a session that is used after the clock was set back ends after twelve idle hours, too', async (t) => {
  const { app, cookie, clock } = await build(t);
  const headers = await cookie();
  const status = async () => (await app.inject({ url: '/instances', headers })).statusCode;
  clock.ahead -= 24 * HOUR_MS;
  t.equal(await status(), 200, 'the session stays');
  clock.ahead += 12 * HOUR_MS + 1_000;
  t.equal(await status(), 401);
});

t.test('a generated password must be changed before anything else works', async (t) => {
  const { app, addUser, cookie, daemon } = await build(t);
  await addUser('admin', 'admin', { mustChangePassword: true });
  const headers = await cookie();
  const { statusCode, body } = await app.inject({ url: '/api/session', headers });
  t.equal(statusCode, 200, body);
  t.equal(JSON.parse(body).mustChangePassword, true, 'a page that is loaded again knows what to ask for');
  for (const url of ['/instances', '/api/v1/instances', '/api/tokens'])
    isProblem(t, await app.inject({ url, headers }), 'password_change_required', url);
  const put = (payload: object) => app.inject({ method: 'PUT', url: '/api/password', headers, payload });
  isProblem(t, await put({ currentPassword: 'wrong', newPassword: 'longer than 8' }), 'invalid_request');
  isProblem(t, await put({ currentPassword: PASSWORD, newPassword: 'short' }), 'invalid_request');
  isProblem(t, await put({ currentPassword: PASSWORD, newPassword: PASSWORD }), 'invalid_request');

  const other = await cookie();
  const changed = await put({ currentPassword: PASSWORD, newPassword: 'longer than 8' });
  t.equal(changed.statusCode, 200);
  t.equal(daemon.user('admin')?.mustChangePassword, false);
  isProblem(t, await app.inject({ url: '/instances', headers }), 'unauthenticated', 'the old cookie');
  isProblem(t, await app.inject({ url: '/instances', headers: other }), 'unauthenticated', 'sessions elsewhere');
  const fresh = { cookie: cookieIn(changed.headers['set-cookie']) };
  t.equal((await app.inject({ url: '/instances', headers: fresh })).statusCode, 200);
});

t.test('a role limits what a user may do', async (t) => {
  const { app, addUser, cookie } = await build(t);
  await addUser('op', 'operator');
  await addUser('eyes', 'viewer');
  const [operator, viewer] = [await cookie('op'), await cookie('eyes')];
  t.equal((await app.inject({ url: '/instances', headers: viewer })).statusCode, 200);
  const start = { method: 'POST', url: '/instances/demo/start' } as const;
  isProblem(t, await app.inject({ ...start, headers: viewer }), 'insufficient_scope', 'a viewer starts nothing');
  t.equal((await app.inject({ ...start, headers: operator })).statusCode, 200);
  const create = { method: 'POST', url: '/instances', payload: { name: 'x', software: 'demo' } } as const;
  isProblem(t, await app.inject({ ...create, headers: operator }), 'insufficient_scope', 'an operator creates nothing');
  isProblem(t, await app.inject({ url: '/api/tokens', headers: operator }), 'insufficient_scope');
});
