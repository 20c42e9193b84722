import { SignJWT } from 'jose';
import t from 'tap';
import { isProblem } from '../../../support/http/problem.ts';
import { build } from '../../../support/processes/gateway-app.ts';
import { DAEMON_ID, TOKEN_KEY } from '../../../support/stand-ins/stand-in-daemon.ts';

const KEY = Buffer.from(TOKEN_KEY, 'base64url');

t.test('a token is shown once, works with its scopes, is listed without its text, and ends when revoked', async (t) => {
  const { app, cookie } = await build(t);
  const admin = await cookie();
  const made = await app.inject({
    method: 'POST',
    url: '/api/tokens',
    headers: admin,
    payload: { name: 'bot', scopes: ['servers:read'], ttlSeconds: 3600 },
  });
  t.equal(made.statusCode, 201);
  const { id, token, ...rest } = made.json();
  t.match(rest, { name: 'bot', scopes: ['servers:read'] });
  t.ok(Math.abs(Date.parse(rest.expiresAt) - Date.now() - 3_600_000) < 5_000);
  const [head, claims] = token
    .split('.')
    .slice(0, 2)
    .map((part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  t.same(head, { alg: 'HS256', typ: 'JWT' });
  t.match(claims, { iss: DAEMON_ID, sub: 'admin', jti: id, scope: 'servers:read' });
  t.equal(claims.exp - claims.iat, 3600);

  const headers = { authorization: `Bearer ${token}` };
  t.equal((await app.inject({ url: '/instances', headers })).statusCode, 200);
  isProblem(t, await app.inject({ method: 'POST', url: '/instances/demo/start', headers }), 'insufficient_scope');
  const listed = await app.inject({ url: '/api/tokens', headers: admin });
  t.match(listed.json(), [{ id, name: 'bot', createdBy: 'admin', unrestricted: false }]);
  t.notMatch(listed.body, token);

  t.equal((await app.inject({ method: 'DELETE', url: `/api/tokens/${id}`, headers: admin })).statusCode, 204);
  const after = await app.inject({ url: '/instances', headers });
  isProblem(t, after, 'unauthenticated');
  t.equal(after.headers['www-authenticate'], 'Bearer error="invalid_token"');
  isProblem(t, await app.inject({ method: 'DELETE', url: `/api/tokens/${id}`, headers: admin }), 'token_not_found');
});

t.test('a token without scopes has all rights of its user, and may set what runs', async (t) => {
  const { app, cookie } = await build(t);
  const made = await app.inject({
    method: 'POST',
    url: '/api/tokens',
    headers: await cookie(),
    payload: { name: 'all' },
  });
  t.equal(made.json().scopes.length, 5);
  const listed = await app.inject({ url: '/api/tokens', headers: await cookie() });
  t.match(listed.json(), [{ name: 'all', unrestricted: true }]);
  const create = (authorization: string) =>
    app.inject({
      method: 'POST',
      url: '/instances',
      headers: { authorization },
      payload: { name: 'Mine', software: 'custom', launch: { command: ['./server'] } },
    });
  t.equal((await create(`Bearer ${made.json().token}`)).statusCode, 201);
  const scopes = ['servers:read', 'servers:write', 'backups:create', 'logs:read', 'tunnels:manage'];
  const restricted = await app.inject({
    method: 'POST',
    url: '/api/tokens',
    headers: await cookie(),
    payload: { name: 'r', scopes },
  });
  const refused = await create(`Bearer ${restricted.json().token}`);
  isProblem(t, refused, 'insufficient_scope', 'one whose scopes were named may not, even if it has all');
  t.match(refused.json().detail, /launch/);
});

t.test('a forged, foreign or expired token is refused', async (t) => {
  const { app, bearer, clock } = await build(t);
  const { authorization } = await bearer();
  const claims = { scope: 'servers:read' };
  const sign = (alg: string, key: Uint8Array, issuer = DAEMON_ID, jti = 't1') =>
    new SignJWT(claims)
      .setProtectedHeader({ alg })
      .setIssuer(issuer)
      .setSubject('x')
      .setJti(jti)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(key);
  const none = [
    '{"alg":"none"}',
    JSON.stringify({ ...claims, iss: DAEMON_ID, sub: 'x', jti: 't1', exp: 9_999_999_999 }),
  ]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  const tokens = {
    'no algorithm': `${none}.`,
    'another algorithm': await sign('HS512', Buffer.concat([KEY, KEY])),
    'another key': await sign('HS256', Buffer.alloc(32, 8)),
    'another daemon': await sign('HS256', KEY, 'd-2'),
    'an id that was never given out': await sign('HS256', KEY, DAEMON_ID, 'unknown'),
    'a changed signature': `${authorization.slice('Bearer '.length, -2)}xx`,
    'no token': 'abc',
    'an empty one': '',
  };
  for (const [what, token] of Object.entries(tokens))
    isProblem(
      t,
      await app.inject({ url: '/instances', headers: { authorization: `Bearer ${token}` } }),
      'unauthenticated',
      what,
    );
  isProblem(
    t,
    await app.inject({ url: '/instances', headers: { authorization: 'Basic YTpi' } }),
    'unauthenticated',
    'another scheme',
  );
  t.equal((await app.inject({ url: '/instances', headers: { authorization } })).statusCode, 200);
  clock.ahead += 3_600_001;
  isProblem(t, await app.inject({ url: '/instances', headers: { authorization } }), 'unauthenticated', 'after its end');
});

t.test('a valid cookie does not make up for a wrong token', async (t) => {
  const { app, cookie } = await build(t);
  const headers = { ...(await cookie()), authorization: 'Bearer nonsense' };
  isProblem(t, await app.inject({ url: '/instances', headers }), 'unauthenticated');
});

t.test('a token has no more rights than its user has at the moment', async (t) => {
  const { app, bearer, addUser, daemon } = await build(t);
  await addUser('admin', 'admin');
  await addUser('op', 'admin');
  const headers = await bearer(undefined, 'op');
  const start = { method: 'POST', url: '/instances/demo/start', headers } as const;
  t.equal((await app.inject(start)).statusCode, 200);
  daemon.updateUser({ username: 'op', change: { role: 'viewer' }, by: null });
  while ((await app.inject(start)).statusCode !== 403) await new Promise(setImmediate);
  daemon.removeUser({ username: 'op', by: null });
  while ((await app.inject(start)).statusCode !== 401) await new Promise(setImmediate);
  t.pass('rights of a viewer first, then none');
});

t.test('a token cannot create tokens', async (t) => {
  const { app, bearer } = await build(t);
  const headers = await bearer();
  isProblem(
    t,
    await app.inject({ method: 'POST', url: '/api/tokens', headers, payload: { name: 'child' } }),
    'insufficient_scope',
  );
  isProblem(t, await app.inject({ url: '/api/tokens' }), 'unauthenticated');
  const local = await build(t, { local: true });
  const made = await local.app.inject({ method: 'POST', url: '/api/tokens', payload: { name: 'cli' } });
  t.equal(made.statusCode, 201, 'the command line creates tokens');
  const use = await (await local.listener()).inject({
    url: '/instances',
    headers: { authorization: `Bearer ${made.json().token}` },
  });
  t.equal(use.statusCode, 200);
});
