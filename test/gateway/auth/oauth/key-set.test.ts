/** The keys of the paired proxy: when they are fetched, and what happens if they cannot be. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import t, { type Test } from 'tap';
import { newPairing } from '../../../../shared/schema/pairing.ts';
import { isProblem } from '../../../support/http/problem.ts';
import { selfSigned } from '../../../support/http/self-signed.ts';
import { build } from '../../../support/processes/gateway-app.ts';
import { type TokenParts, testProxy } from '../../../support/stand-ins/test-proxy.ts';

const MINUTE_MS = 60_000;

async function paired(t: Test, proxyOptions: Parameters<typeof testProxy>[1] = {}) {
  const world = await build(t);
  const proxy = await testProxy(t, { now: world.gateway.now, ...proxyOptions });
  world.daemon.setPairing(proxy.pairing);
  const ask = async (parts: TokenParts = {}) => {
    const authorization = `Bearer ${await proxy.token({ scopes: ['servers:read'], ...parts })}`;
    return world.app.inject({ url: '/instances', headers: { authorization } });
  };
  return { ...world, proxy, ask, status: async (parts?: TokenParts) => (await ask(parts)).statusCode };
}

t.test('a new key is fetched when it is first needed, and a withdrawn one stops working', async (t) => {
  const { proxy, status, clock } = await paired(t);
  t.equal(await status(), 200);
  const next = await proxy.newKey();
  proxy.keys = [proxy.key.jwk, next.jwk];
  t.equal(await status({ key: next }), 401, 'keys are not fetched again at once');
  clock.ahead += 31_000;
  t.equal(await status({ key: next }), 200);
  t.equal(await status(), 200, 'the old key stays valid');
  t.equal(proxy.asked, 2);

  proxy.keys = [next.jwk];
  t.equal(await status(), 200, 'the withdrawal is not noticed yet');
  clock.ahead += 10 * MINUTE_MS;
  t.equal(await status(), 401);
  t.equal(await status({ key: next }), 200);
});

t.test('keys that have changed are fetched when the proxy says so', async (t) => {
  const { proxy, status, gateway } = await paired(t);
  t.equal(await status(), 200);
  proxy.keys = [(await proxy.newKey()).jwk];
  t.equal(await status(), 200, 'not noticed yet');
  gateway.credentials.oauth.expireKeys();
  t.equal(await status(), 401);
  t.equal(proxy.asked, 2);
});

t.test('a remembered token is verified again after its key was withdrawn', async (t) => {
  const { proxy, app, clock } = await paired(t);
  const seconds = Math.floor(Date.now() / 1000);
  const token = await proxy.token({ scopes: ['servers:read'], claims: { exp: seconds + 86_400 } });
  const status = async () =>
    (await app.inject({ url: '/instances', headers: { authorization: `Bearer ${token}` } })).statusCode;
  t.equal(await status(), 200);
  proxy.keys = [(await proxy.newKey()).jwk];
  t.equal(await status(), 200);
  clock.ahead += 10 * MINUTE_MS;
  t.equal(await status(), 401);
});

t.test('tokens with invented key ids do not cause a fetch each', async (t) => {
  const { proxy, status } = await paired(t);
  t.equal(await status(), 200);
  for (let index = 0; index < 20; index++) t.equal(await status({ header: { kid: `invented-${index}` } }), 401);
  t.equal(proxy.asked, 1);
});

t.test('while the proxy is away its keys are used for a day, without a fetch per request', async (t) => {
  const { proxy, ask, status, clock } = await paired(t);
  t.equal(await status(), 200);
  let refused = 0;
  proxy.answer = (_request, response) => {
    refused++;
    response.writeHead(500).end();
  };
  clock.ahead += 11 * MINUTE_MS;
  for (let index = 0; index < 5; index++) t.equal(await status(), 200);
  t.equal(refused, 1);
  clock.ahead += 23 * 60 * MINUTE_MS;
  t.equal(await status(), 200);
  clock.ahead += 60 * MINUTE_MS;
  const answer = await ask();
  isProblem(t, answer, 'proxy_unavailable');
  t.equal(answer.headers['retry-after'], '5');
  proxy.answer = undefined;
  clock.ahead += 6_000;
  t.equal(await status(), 200, 'recovers automatically');
});

t.test('keys survive a lost connection to the daemon, but not another pairing', async (t) => {
  const { proxy, status, daemon, gateway } = await paired(t);
  t.equal(await status(), 200);
  await proxy.close();
  gateway.credentials.oauth.forget();
  t.equal(await status(), 200);
  const other = await testProxy(t);
  daemon.setPairing(other.pairing);
  while ((await status()) !== 401) await new Promise(setImmediate);
});

t.test('tokens of a proxy that was never reached are 503, other credentials work', async (t) => {
  const { proxy, ask, app, bearer } = await paired(t);
  await proxy.close();
  isProblem(t, await ask(), 'proxy_unavailable');
  t.equal((await app.inject({ url: '/instances', headers: await bearer() })).statusCode, 200);
});

t.test('redirects and large, broken or secret key sets are rejected', async (t) => {
  let lured = 0;
  const elsewhere = createServer((_request, response) => {
    lured++;
    response.end('{"keys":[]}');
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  t.teardown(() => elsewhere.close());
  const there = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
  type Answer = [status: number, headers: Record<string, string>, body: string];
  const answers: Record<string, { expected: number; of: (body: string) => Answer }> = {
    'a redirect': { expected: 503, of: () => [302, { location: there }, ''] },
    'an error': { expected: 503, of: (body) => [404, {}, body] },
    'more than is sensible': {
      expected: 503,
      of: (body) => [200, {}, body.replace(/}$/, `,"x":"${'x'.repeat(70_000)}"}`)],
    },
    'no JSON': { expected: 503, of: () => [200, {}, '<html>'] },
    'no key set': { expected: 503, of: () => [200, {}, '{"keys":{}}'] },
    'a private key': { expected: 401, of: (body) => [200, {}, body.replace('"kty"', '"d":"AAAA","kty"')] },
    'a shared secret': { expected: 401, of: () => [200, {}, '{"keys":[{"kty":"oct","k":"c2VjcmV0","alg":"ES256"}]}'] },
  };
  for (const [what, { expected, of }] of Object.entries(answers)) {
    const { proxy, status } = await paired(t);
    proxy.answer = (_request, response) => {
      const [code, headers, body] = of(JSON.stringify({ keys: proxy.keys }));
      response.writeHead(code, headers).end(body);
    };
    t.equal(await status(), expected, what);
  }
  t.equal(lured, 0);
});

t.test('a token cannot choose the address of its key', async (t) => {
  const { proxy, status } = await paired(t);
  const attacker = await testProxy(t);
  const { jwk } = attacker.key;
  for (const header of [
    { jku: attacker.pairing.jwksUri },
    { x5u: attacker.pairing.jwksUri },
    { jwk },
    { jku: attacker.pairing.jwksUri, kid: proxy.key.kid },
  ])
    t.equal(await status({ key: attacker.key, header }), 401, Object.keys(header).join());
  t.equal(attacker.asked, 0);
});

t.test('the certificate of the proxy must be trusted by this machine', async (t) => {
  const certificate = selfSigned();
  const { status, clock } = await paired(t, { tls: certificate });
  t.equal(await status(), 503);
  const trusted = tls.getCACertificates();
  t.teardown(() => tls.setDefaultCACertificates(trusted));
  tls.setDefaultCACertificates([...trusted, certificate.cert]);
  clock.ahead += 6_000;
  t.equal(await status(), 200);
});

t.test('pairing accepts only addresses that cannot be intercepted', async (t) => {
  const issuer = 'https://proxy.example';
  const rest = { ceiling: ['servers:read'], name: 'Test' };
  const good = (url: string) => newPairing.safeParse({ issuer, jwksUri: url, ...rest }).success;
  for (const url of [
    'https://proxy.example/keys',
    'http://127.0.0.1:1/keys',
    'http://localhost/keys',
    'http://[::1]/keys',
  ])
    t.ok(good(url), url);
  for (const url of [
    'http://proxy.example/keys',
    'http://127.0.0.1.example/keys',
    'http://169.254.169.254/keys',
    'http://localhost.example/',
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'https://user:pass@proxy.example/',
    'https://proxy.example/#x',
    '//proxy.example/keys',
    '',
  ])
    t.notOk(good(url), url);
  t.notOk(newPairing.safeParse({ issuer: 'https://proxy.example/?a', jwksUri: issuer, ...rest }).success);
});
