/** Access tokens of the paired proxy (RFC 9068), valid and invalid ones. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { LightMyRequestResponse } from 'fastify';
import t, { type Test } from 'tap';
import { SCOPES } from '../../../../shared/domain/access/scope.ts';
import { openConsole, portOf } from '../../../support/console/console-client.ts';
import { readEvents } from '../../../support/http/event-reader.ts';
import { isProblem } from '../../../support/http/problem.ts';
import { until } from '../../../support/machine/until.ts';
import { build, type World } from '../../../support/processes/gateway-app.ts';
import { AUDIENCE } from '../../../support/stand-ins/stand-in-daemon.ts';
import { type TestProxy, testProxy } from '../../../support/stand-ins/test-proxy.ts';

interface Paired extends World {
  proxy: TestProxy;
  get(token: string, url?: string): Promise<LightMyRequestResponse>;
}

async function paired(t: Test): Promise<Paired> {
  const world = await build(t);
  const proxy = await testProxy(t, { now: world.gateway.now });
  world.daemon.setPairing(proxy.pairing);
  const get = (token: string, url = '/instances') =>
    world.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  return { ...world, proxy, get };
}

function encode(part: unknown): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
}

t.test('tokens of each of the three algorithms have exactly their scopes', async (t) => {
  for (const alg of ['ES256', 'EdDSA', 'RS256'] as const) {
    const world = await paired(t);
    const key = await world.proxy.newKey(alg);
    world.proxy.keys = [key.jwk];
    const token = await world.proxy.token({ key, scopes: ['servers:read'] });
    t.equal((await world.get(token)).statusCode, 200, alg);
    t.equal((await world.get(token, '/api/v1/instances')).statusCode, 200, `${alg}, family B`);
    t.equal(world.proxy.asked, 1, 'the keys were fetched once');
    const refused = await world.get(token, '/instances/demo/logs');
    isProblem(t, refused, 'insufficient_scope', `${alg} without the scope`);
    t.equal(refused.headers['www-authenticate'], 'Bearer error="insufficient_scope", scope="logs:read"');
  }
});

t.test('a token of another account than the one that linked this daemon is rejected', async (t) => {
  const { proxy, get, daemon } = await paired(t);
  const token = await proxy.token({ scopes: SCOPES });
  const { sub = '' } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  daemon.setPairing({ ...proxy.pairing, accountId: 'somebody-else' });
  t.equal((await get(await proxy.token({ scopes: SCOPES }))).statusCode, 401);
  daemon.setPairing({ ...proxy.pairing, accountId: sub });
  t.equal((await get(await proxy.token({ scopes: SCOPES }))).statusCode, 200);
});

t.test('a token that is wrong in any way is rejected', async (t) => {
  const { proxy, get, gateway } = await paired(t);
  const good = await proxy.token({ scopes: SCOPES });
  t.equal((await get(good)).statusCode, 200);
  const seconds = Math.floor(gateway.now() / 1000);
  const stranger = { ...(await proxy.newKey()), kid: proxy.key.kid };
  const rsa = await proxy.newKey('RS256');
  proxy.keys.push(rsa.jwk);
  const [head = '', body = '', signature = ''] = good.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());

  /** Signed with the public key as if it were a shared secret (algorithm confusion, RFC 8725, section 2.1). */
  const confused = (secret: string | Buffer) => {
    const input = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: proxy.key.kid })}.${body}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };
  const tokens: Record<string, string> = {
    'HS256 with the public key as PEM': confused(proxy.key.publicKey.export({ type: 'spki', format: 'pem' })),
    'HS256 with the public key as DER': confused(proxy.key.publicKey.export({ type: 'spki', format: 'der' })),
    'HS256 with the public key as JWK': confused(JSON.stringify(proxy.key.jwk)),
    'no algorithm': `${encode({ alg: 'none', typ: 'at+jwt' })}.${body}.`,
    'no algorithm, oddly written': `${encode({ alg: 'nOnE', typ: 'at+jwt' })}.${body}.`,
    'another algorithm of the same key': `${encode({ alg: 'PS256', typ: 'at+jwt', kid: rsa.kid })}.${body}.${signature}`,
    "a stranger's key under a known id": await proxy.token({ key: stranger, scopes: SCOPES }),
    'a changed body': `${head}.${encode({ ...claims, sub: 'root' })}.${signature}`,
    'a signature cut short': good.slice(0, -3),
    'an ID token': await proxy.token({ scopes: SCOPES, header: { typ: 'JWT' } }),
    'no type': await proxy.token({ scopes: SCOPES, header: { typ: undefined } }),
    'another issuer': await proxy.token({ scopes: SCOPES, claims: { iss: 'https://proxy.example' } }),
    'an issuer with a slash more': await proxy.token({ scopes: SCOPES, claims: { iss: `${proxy.pairing.issuer}/` } }),
    'another daemon': await proxy.token({ scopes: SCOPES, claims: { aud: 'urn:uuid:d-2' } }),
    'other daemons': await proxy.token({ scopes: SCOPES, claims: { aud: ['urn:uuid:d-2', 'urn:uuid:d-3'] } }),
    'an audience that only begins like ours': await proxy.token({ scopes: SCOPES, claims: { aud: 'urn:uuid:d-10' } }),
    'no audience': await proxy.token({ scopes: SCOPES, claims: { aud: undefined } }),
    expired: await proxy.token({ scopes: SCOPES, claims: { exp: seconds - 31 } }),
    'no end': await proxy.token({ scopes: SCOPES, claims: { exp: undefined } }),
    'an end in words': await proxy.token({ scopes: SCOPES, claims: { exp: '2030' } }),
    'not yet valid': await proxy.token({ scopes: SCOPES, claims: { nbf: seconds + 60 } }),
    'no subject': await proxy.token({ scopes: SCOPES, claims: { sub: undefined } }),
    'a subject that is none': await proxy.token({ scopes: SCOPES, claims: { sub: { admin: true } } }),
    'a subject with a line end in it': await proxy.token({ scopes: SCOPES, claims: { sub: 'a\nb' } }),
    'no client': await proxy.token({ scopes: SCOPES, claims: { client_id: undefined } }),
    'no id': await proxy.token({ scopes: SCOPES, claims: { jti: undefined } }),
    'no time of issue': await proxy.token({ scopes: SCOPES, claims: { iat: undefined } }),
    'scopes as a list': await proxy.token({ claims: { scope: [...SCOPES] } }),
    'an extension that must be understood': `${encode({ alg: 'ES256', kid: proxy.key.kid, typ: 'at+jwt', crit: ['x'], x: 1 })}.${body}.${signature}`,
    'nothing between the dots': '..',
    'JSON that is none': `${encode('{')}.${body}.${signature}`,
  };
  for (const [what, token] of Object.entries(tokens)) {
    const answer = await get(token);
    isProblem(t, answer, 'unauthenticated', what);
    t.equal(answer.headers['www-authenticate'], 'Bearer error="invalid_token"', what);
  }
  for (const [what, parts] of Object.entries({
    'the media type in full': { header: { typ: 'application/at+jwt' } },
    'several audiences': { claims: { aud: ['urn:uuid:d-2', AUDIENCE] } },
    'an end that has just passed on another clock': { claims: { exp: seconds - 20 } },
    'scopes that are not ours': { claims: { scope: 'openid servers:read profile' } },
  }))
    t.equal((await get(await proxy.token({ scopes: ['servers:read'], ...parts }))).statusCode, 200, what);
  isProblem(
    t,
    await get(await proxy.token({ claims: { scope: undefined } })),
    'insufficient_scope',
    'no scopes at all',
  );
});

t.test('a repeated claim or header invalidates a token with a valid signature', async (t) => {
  const { proxy, get } = await paired(t);
  const { sign } = await import('node:crypto');
  const signed = (header: string, payload: string) => {
    const input = `${encode(header)}.${encode(payload)}`;
    const signature = sign('sha256', Buffer.from(input), { key: proxy.key.privateKey, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  };
  const payload = Buffer.from((await proxy.token({ scopes: ['servers:read'] })).split('.')[1] ?? '', 'base64url');
  const header = JSON.stringify({ alg: 'ES256', kid: proxy.key.kid, typ: 'at+jwt' });
  const twice = (json: string, more: string) => json.replace(/\}$/, `,${more}}`);
  t.equal((await get(signed(header, `${payload}`))).statusCode, 200, 'the same JSON without duplicates is valid');
  for (const more of [
    '"scope":"servers:read logs:read"',
    '"sub":"other"',
    '"s\\u0075b":"other"',
    '"act":{"a":1,"a":2}',
  ])
    isProblem(t, await get(signed(header, twice(`${payload}`, more))), 'unauthenticated', more);
  isProblem(t, await get(signed(twice(header, '"typ":"at+jwt"'), `${payload}`)), 'unauthenticated', 'in the header');
  t.equal((await get(signed(header, twice(`${payload}`, '"act":[{"sub":"a"},{"sub":"\\"b\\":"}]')))).statusCode, 200);
});

t.test('a client cannot set what runs or use operations for users, and is recorded by name', async (t) => {
  const { app, proxy, daemon } = await paired(t);
  const headers = await proxy.bearer(SCOPES);
  const create = (payload: object) => app.inject({ method: 'POST', url: '/instances', headers, payload });
  const localOnly = [
    { launch: { command: ['./x'] } },
    { directory: '/srv/x' },
    { env: { A: 'b' } },
    { runAs: 'games' },
  ];
  for (const parts of localOnly) {
    const refused = await create({ name: 'Mine', software: 'custom', ...parts });
    isProblem(t, refused, 'insufficient_scope', Object.keys(parts)[0]);
    t.equal(refused.headers['www-authenticate'], 'Bearer error="insufficient_scope"', 'no scope is suggested');
  }
  t.equal((await create({ name: 'Plain', software: 'demo' })).statusCode, 201);
  for (const payload of [{ env: { A: 'b' } }, { runAs: null }]) {
    const change = { method: 'PATCH', url: '/instances/demo', headers, payload } as const;
    isProblem(t, await app.inject(change), 'insufficient_scope');
  }
  for (const url of ['/api/tokens', '/api/session'])
    isProblem(t, await app.inject({ url, headers }), 'insufficient_scope', url);
  const minted = { method: 'POST', url: '/api/tokens', headers, payload: { name: 'own' } } as const;
  isProblem(t, await app.inject(minted), 'insufficient_scope');
  const entry = await until('the creation is recorded', () =>
    daemon.audited.find(({ path, status }) => path === '/instances' && status === 201),
  );
  t.match(entry, { who: 'account-1 (OAuth client bot)', method: 'POST' });
});

t.test('all tokens of one client and account share one rate limit', async (t) => {
  const world = await build(t, { settings: { limits: { requestsPerSecond: 1, burst: 3 } } });
  const proxy = await testProxy(t);
  world.daemon.setPairing(proxy.pairing);
  const status = async (claims = {}) => {
    const authorization = `Bearer ${await proxy.token({ scopes: ['servers:read'], claims })}`;
    return (await world.app.inject({ url: '/instances', headers: { authorization } })).statusCode;
  };
  t.same([await status(), await status(), await status(), await status()], [200, 200, 200, 429]);
  t.equal(await status({ client_id: 'other' }), 200);
  t.equal(await status({ sub: 'account-2' }), 200);
});

t.test('no OAuth token is valid without a pairing, not even a remembered one', async (t) => {
  const { daemon, proxy, get, clock, gateway } = await paired(t);
  const token = await proxy.token({ scopes: ['servers:read'] });
  t.equal((await get(token)).statusCode, 200);
  daemon.removePairing();
  while ((await get(token)).statusCode !== 401) await new Promise(setImmediate);
  daemon.setPairing(proxy.pairing);
  while ((await get(token)).statusCode !== 200) await new Promise(setImmediate);
  daemon.setPairing({ ...proxy.pairing, issuer: 'https://other.example' });
  while ((await get(token)).statusCode !== 401) await new Promise(setImmediate);
  daemon.setPairing(proxy.pairing);
  while ((await get(token)).statusCode !== 200) await new Promise(setImmediate);
  clock.ahead += 631_000;
  isProblem(t, await get(token), 'unauthenticated', `${gateway.now()}`);
});

t.test('consoles and event streams of an OAuth token end with the pairing', async (t) => {
  const { app, daemon, proxy } = await paired(t);
  const viewer = await openConsole(t, app, { headers: await proxy.bearer(['logs:read']) });
  const url = `http://127.0.0.1:${await portOf(app)}/events`;
  const { response } = await readEvents(t, url, await proxy.bearer(['servers:read']));
  const ended = once(response, 'end');
  daemon.removePairing();
  t.equal((await viewer.closed()).code, 1008);
  await ended;
});
