import { Secret, TOTP } from 'otpauth';
import t, { type Test } from 'tap';
import { isProblem } from '../../../support/http/problem.ts';
import { build, PASSWORD, type World } from '../../../support/processes/gateway-app.ts';

const PERIOD_MS = 30_000;

/** A user with an authenticator app. */
async function withTotp(t: Test, username = 'ann') {
  const world = await build(t);
  await world.addUser(username, 'operator');
  const headers = await world.cookie(username);
  const call = (method: 'POST' | 'DELETE', path: string, payload?: object) =>
    world.app.inject({ method, url: `/api/${path}`, headers, ...(payload && { payload }) });
  const begun = await call('POST', 'totp', { password: PASSWORD });
  const { secret } = begun.json();
  const code = codes(world, secret);
  const confirmed = await call('POST', 'totp', { code: code() });
  return { ...world, headers, call, begun, secret, code, confirmed, recoveryCodes: confirmed.json().recoveryCodes };
}

/** The code of the app, `ahead` periods from now. */
function codes({ clock }: World, secret: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return (ahead = 0) => totp.generate({ timestamp: Date.now() + clock.ahead + ahead * PERIOD_MS });
}

function signIn({ app }: World, totp?: string, parts: { password?: string; address?: string } = {}) {
  const { password = PASSWORD, address: remoteAddress = '192.0.2.1' } = parts;
  const payload = { username: 'ann', password, ...(totp !== undefined && { totp }) };
  return app.inject({ method: 'POST', url: '/api/login', payload, remoteAddress });
}

t.test('a second factor is set up with the password and takes effect with a code', async (t) => {
  const world = await build(t);
  await world.addUser('ann', 'viewer');
  const headers = await world.cookie('ann');
  const elsewhere = await world.cookie('ann');
  const post = (payload: object) => world.app.inject({ method: 'POST', url: '/api/totp', headers, payload });
  for (const payload of [{}, { password: PASSWORD, code: '000000' }, { secret: 'x' }])
    isProblem(t, await post(payload), 'invalid_request', JSON.stringify(payload));
  isProblem(t, await post({ password: 'wrong' }), 'invalid_request', 'a stolen session is not enough');
  isProblem(t, await post({ code: '000000' }), 'invalid_state', 'there is nothing to confirm');

  const begun = await post({ password: PASSWORD });
  t.equal(begun.statusCode, 201);
  t.equal(begun.headers['cache-control'], 'no-store');
  const { secret, uri } = begun.json();
  t.match(secret, /^[A-Z2-7]{32}$/, '160 bit, as RFC 4226 recommends');
  const { protocol, host, pathname, searchParams } = new URL(uri);
  t.equal(`${protocol}//${host}`, 'otpauth://totp');
  t.match(decodeURIComponent(pathname), /^\/Gamekeeper:ann on /);
  t.match(Object.fromEntries(searchParams), {
    secret,
    issuer: 'Gamekeeper',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
  t.equal((await signIn(world)).statusCode, 200, 'not in effect before it is confirmed');
  const code = codes(world, secret);
  isProblem(t, await post({ code: code(5) }), 'invalid_request', 'a code of another time');

  const confirmed = await post({ code: code() });
  t.equal(confirmed.statusCode, 200);
  const { recoveryCodes } = confirmed.json();
  t.equal(new Set(recoveryCodes).size, 10);
  t.ok(recoveryCodes.every((one: string) => /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/.test(one)));
  const stored = JSON.stringify(world.daemon.database.prepare('SELECT * FROM recovery_codes').all());
  t.notOk(
    recoveryCodes.some((one: string) => stored.includes(one)),
    'only hashes are stored',
  );
  isProblem(
    t,
    await world.app.inject({ url: '/instances', headers: elsewhere }),
    'unauthenticated',
    'other sessions end',
  );
  const session = await world.app.inject({ url: '/api/session', headers });
  t.match(session.json(), { totp: true, recoveryCodes: 10, instances: ['*'] });
  t.notMatch(session.body, secret);
  isProblem(t, await post({ password: PASSWORD }), 'invalid_state', 'there is one already');
  isProblem(t, await post({ code: code(1) }), 'invalid_state', 'nor is it confirmed again');
});

t.test('the code that confirms a new secret cannot be guessed', async (t) => {
  const world = await build(t);
  await world.addUser('ann', 'viewer');
  const headers = await world.cookie('ann');
  const post = (payload: object) => world.app.inject({ method: 'POST', url: '/api/totp', headers, payload });
  const { secret } = (await post({ password: PASSWORD })).json();
  const code = codes(world, secret);
  for (let n = 0; n < 5; n++) isProblem(t, await post({ code: code(5 + n) }), 'invalid_request', `guess ${n}`);
  isProblem(t, await post({ code: code() }), 'rate_limited', 'even a right one');
  world.clock.ahead += 15 * 60_000;
  t.equal((await post({ code: code() })).statusCode, 200);
});

t.test('sign-in asks for a code only after the right password (GHSA-fg52-xjfc-9rh8)', async (t) => {
  const world = await withTotp(t);
  const { code, app } = world;
  isProblem(t, await signIn(world), 'totp_required');
  isProblem(t, await signIn(world, code(9)), 'totp_invalid');
  const wrong = await signIn(world, undefined, { password: 'wrong' });
  isProblem(t, wrong, 'unauthenticated');
  const nobody = await app.inject({ method: 'POST', url: '/api/login', payload: { username: 'bob', password: 'x' } });
  t.same(wrong.json(), nobody.json());
  t.same((await signIn(world, code(1), { password: 'wrong' })).json(), nobody.json(), 'the same with the right code');
  t.equal((await signIn(world, code(1))).statusCode, 200, 'the code was not used up');
});

t.test('a code works once, and no earlier one works after it (CVE-2025-69197)', async (t) => {
  const world = await withTotp(t);
  const { code, clock, confirmed } = world;
  t.equal(confirmed.statusCode, 200);
  isProblem(t, await signIn(world, code()), 'totp_invalid', 'the one that confirmed it');
  const next = code(1);
  const both = await Promise.all([signIn(world, next), signIn(world, ` ${next.slice(0, 3)} ${next.slice(3)}`)]);
  t.same(both.map(({ statusCode }) => statusCode).sort(), [200, 401], 'one of two concurrent attempts succeeds');
  isProblem(t, await signIn(world, next), 'totp_invalid');
  isProblem(t, await signIn(world, code(0)), 'totp_invalid', 'an earlier one that was not used');
  clock.ahead += PERIOD_MS;
  isProblem(t, await signIn(world, next, { address: '192.0.2.9' }), 'totp_invalid', 'a period later, from elsewhere');
  t.equal((await signIn(world, code(1), { address: '192.0.2.9' })).statusCode, 200);
});

t.test('a code may be off by half a minute, not more', async (t) => {
  const world = await withTotp(t);
  const { code, clock } = world;
  clock.ahead += 10 * PERIOD_MS;
  for (const ahead of [-2, 2]) isProblem(t, await signIn(world, code(ahead)), 'totp_invalid', `${ahead} periods`);
  t.equal((await signIn(world, code(-1))).statusCode, 200);
  t.equal((await signIn(world, code(1))).statusCode, 200);
});

t.test('guessing codes is limited per address and per user, while recovery codes still work', async (t) => {
  const world = await withTotp(t);
  const { code, recoveryCodes, clock } = world;
  const guess = (address: string) => signIn(world, '000000', { address });
  for (let n = 0; n < 5; n++) isProblem(t, await guess('192.0.2.1'), 'totp_invalid');
  const locked = await guess('192.0.2.1');
  isProblem(t, locked, 'rate_limited');
  t.ok(Number(locked.headers['retry-after']) > 890);
  for (let n = 0; n < 3; n++) t.equal((await signIn(world, undefined, { address: '192.0.2.77' })).statusCode, 401);

  for (let n = 0; n < 15; n++) isProblem(t, await guess(`2001:db8:${n}::1`), 'totp_invalid');
  isProblem(t, await guess('2001:db8:ffff::1'), 'rate_limited', 'from an address that has not tried yet');
  isProblem(t, await signIn(world, code(1), { address: '198.51.100.1' }), 'rate_limited', 'also with the right one');
  const recovered = await signIn(world, recoveryCodes[0], { address: '198.51.100.1' });
  t.equal(recovered.statusCode, 200, 'a recovery code still lets the owner in');
  clock.ahead += 15 * 60_000 + 1_000;
  t.equal((await signIn(world, code(1))).statusCode, 200, 'works again after the wait');
});

t.test('the right password without a code does not forget wrong codes', async (t) => {
  const world = await withTotp(t);
  for (let n = 0; n < 5; n++) {
    isProblem(t, await signIn(world, '000000'), 'totp_invalid');
    if (n < 4) isProblem(t, await signIn(world), 'totp_required');
  }
  isProblem(t, await signIn(world, '000000'), 'rate_limited');
});

t.test('a recovery code works once, however it is typed, and new ones replace all', async (t) => {
  const world = await withTotp(t);
  const { recoveryCodes, app, call, headers } = world;
  const [one, two, three] = recoveryCodes as [string, string, string];
  const both = await Promise.all([signIn(world, one), signIn(world, one)]);
  t.same(both.map(({ statusCode }) => statusCode).sort(), [200, 401], 'one of two concurrent attempts succeeds');
  isProblem(t, await signIn(world, one), 'totp_invalid');
  t.equal((await signIn(world, two.toUpperCase().replaceAll('-', ' '))).statusCode, 200);
  t.match((await app.inject({ url: '/api/session', headers })).json(), { recoveryCodes: 8 });

  isProblem(t, await call('POST', 'recovery-codes', { password: 'wrong' }), 'invalid_request');
  isProblem(t, await call('POST', 'recovery-codes', {}), 'invalid_request');
  const renewed = await call('POST', 'recovery-codes', { password: PASSWORD });
  t.equal(renewed.json().recoveryCodes.length, 10);
  isProblem(t, await signIn(world, three), 'totp_invalid', 'an old one');
  t.equal((await signIn(world, renewed.json().recoveryCodes[9])).statusCode, 200);
  t.equal((await call('DELETE', 'recovery-codes')).statusCode, 204);
  isProblem(t, await signIn(world, renewed.json().recoveryCodes[0]), 'totp_invalid');
  t.match((await app.inject({ url: '/api/session', headers })).json(), { totp: true, recoveryCodes: 0 });
});

t.test('the second factor is removed with the password or a code, which is used up', async (t) => {
  const world = await withTotp(t);
  const { call, code } = world;
  for (const payload of [{}, { password: 'wrong' }, { code: code() }, { code: '000000' }])
    isProblem(t, await call('DELETE', 'totp', payload), 'invalid_request', JSON.stringify(payload));
  t.equal((await call('DELETE', 'totp', { code: code(1) })).statusCode, 204);
  t.equal((await signIn(world)).statusCode, 200);
  isProblem(t, await call('POST', 'recovery-codes', { password: PASSWORD }), 'invalid_state');
  t.equal(world.daemon.database.prepare('SELECT * FROM recovery_codes').all().length, 0);
  t.equal((await call('POST', 'totp', { password: PASSWORD })).statusCode, 201, 'a new one can be set up');
  t.equal((await call('DELETE', 'totp', { password: PASSWORD })).statusCode, 204);
});

t.test('an administrator can remove the second factor of another user', async (t) => {
  const world = await withTotp(t);
  const { app, cookie } = world;
  const admin = await cookie('admin');
  const patch = (payload: object) => app.inject({ method: 'PATCH', url: '/api/users/ANN', headers: admin, payload });
  t.match((await app.inject({ url: '/api/users/ann', headers: admin })).json(), { totp: true });
  isProblem(t, await patch({ totp: true }), 'invalid_request', 'nobody gets one from others');
  isProblem(t, await signIn(world), 'totp_required');
  t.match((await patch({ totp: false })).json(), { totp: false });
  t.equal((await signIn(world)).statusCode, 200);
});

t.test('the second factor can only be changed by its signed-in user', async (t) => {
  const { app, bearer, listener } = await build(t);
  const local = await listener({ local: true });
  for (const [method, path] of [
    ['POST', 'totp'],
    ['DELETE', 'totp'],
    ['POST', 'recovery-codes'],
    ['DELETE', 'recovery-codes'],
  ] as const) {
    const request = { method, url: `/api/${path}`, payload: { password: PASSWORD } };
    isProblem(t, await app.inject(request), 'unauthenticated');
    isProblem(t, await app.inject({ ...request, headers: await bearer() }), 'insufficient_scope');
    isProblem(t, await local.inject(request), 'insufficient_scope', 'the command line has none of its own');
  }
});
