import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createLink } from '../../../daemon/link/link.ts';
import { openStore } from '../../../daemon/store/store.ts';
import { createCredentials } from '../../../daemon/users/credentials.ts';
import type { DaemonLink } from '../../../shared/contract/daemon/link.ts';
import { SCOPES, type Scope } from '../../../shared/domain/access/scope.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { until } from '../../support/machine/until.ts';
import { type HostedProxy, hostedProxy } from '../../support/stand-ins/hosted-proxy.ts';

const now = () => new Date().toISOString();
const log = createLogger({ name: 'daemon', level: 'silent' });

/** The part of a daemon that links, with a database of its own. */
function linking(t: Test) {
  const store = openStore(path.join(temporaryFolder(t), 'gamekeeper.db'));
  const credentials = createCredentials(store, now);
  const link = createLink({ store, credentials, log, now });
  t.teardown(async () => {
    await link.close();
    store[Symbol.dispose]();
  });
  return { store, credentials, link, daemonId: store.meta.daemonId };
}

function ask(link: DaemonLink, url: string, options: { name?: string; scopes?: Scope[] } = {}) {
  return link.requestLink({ link: { url, scopes: [...SCOPES], ...options }, by: null });
}

function decided(link: DaemonLink) {
  return until('the request has ended', () => !link.linkState().request && link.linkState().lastRequest);
}

async function linked(t: Test, proxy: HostedProxy, scopes: Scope[] = [...SCOPES]) {
  const world = linking(t);
  await proxy.approve((await ask(world.link, proxy.issuer, { name: 'Basement', scopes })).userCode);
  t.match(await decided(world.link), { outcome: 'approved' });
  return world;
}

t.test('an approved request registers the key of this daemon and pins the proxy', async (t) => {
  const proxy = await hostedProxy(t);
  const { link, daemonId, credentials } = linking(t);
  const watching = link.watchLink(AbortSignal.timeout(120_000))[Symbol.asyncIterator]();
  t.equal((await watching.next()).value, null);
  await t.rejects(link.linkToken(), { code: 'not_linked' });

  const request = await ask(link, `${proxy.issuer}/`, { name: 'Basement', scopes: ['servers:read', 'servers:read'] });
  t.match(request, { issuer: proxy.issuer, name: 'Basement', scopes: ['servers:read'] });
  t.equal(new URL(request.verificationUriComplete).searchParams.get('user_code'), request.userCode);
  t.same(link.linkState(), { proxy: null, request, lastRequest: null });
  await proxy.approve(request.userCode);
  t.match(await decided(link), { id: request.id, outcome: 'approved', issuer: proxy.issuer });

  t.match(link.linkState().proxy, {
    issuer: proxy.issuer,
    daemonId,
    resource: `urn:uuid:${daemonId}`,
    name: 'Basement',
    account: 'anna',
    scopes: ['servers:read'],
  });
  t.match(credentials.pairing(), { issuer: proxy.issuer, jwksUri: `${proxy.issuer}/jwks` });
  t.match(credentials.auditTrail({ limit: 10 }), [
    { who: 'command line', from: proxy.issuer, method: 'LINK', status: 200 },
  ]);
  const registered = proxy.daemons.get(daemonId);
  t.match(registered, { accountId: 'anna', name: 'Basement', scopes: ['servers:read'] });
  t.same(Object.keys(registered?.publicKey ?? {}).sort(), ['crv', 'kty', 'x'], 'only the public half');
  await t.resolves(proxy.checkDaemonToken(await link.linkToken(), daemonId));
  t.not(await link.linkToken(), await link.linkToken(), 'each token is for one use');
  const target = { issuer: proxy.issuer, daemonId, name: 'Basement', ceiling: ['servers:read'], telemetry: false };
  t.same((await watching.next()).value, target);
  t.match(link.changeLink({ telemetry: true }), { telemetry: true, scopes: ['servers:read'] });
  t.same((await watching.next()).value, { ...target, telemetry: true });
  t.match(link.changeLink({ telemetry: false }), { telemetry: false });
  t.same((await watching.next()).value, target);

  t.match(link.changeLink({ scopes: ['logs:read', 'logs:read'], name: 'Attic' }), {
    scopes: ['logs:read'],
    name: 'Attic',
  });
  t.match((await watching.next()).value, { ceiling: ['logs:read'] });
  t.same(await link.unlink(), { proxyTold: true });
  t.equal((await watching.next()).value, null);
  t.notOk(proxy.daemons.has(daemonId));
  t.equal(link.linkState().proxy, null);
});

t.test('a request that is denied or expires changes nothing', async (t) => {
  const proxy = await hostedProxy(t);
  const { link, credentials } = await linked(t, proxy);
  const before = credentials.pairing();
  await proxy.deny((await ask(link, proxy.issuer)).userCode);
  t.match(await decided(link), { outcome: 'denied' });
  t.same(credentials.pairing(), before);

  const hasty = await hostedProxy(t, { codeSeconds: 1 });
  await ask(link, hasty.issuer);
  t.match(await decided(link), { outcome: 'expired' });
  t.same(credentials.pairing(), before);
});

t.test('a request can be cancelled, and only one waits at a time', async (t) => {
  const proxy = await hostedProxy(t);
  const { link, credentials } = linking(t);
  await t.rejects(link.cancelLinkRequest(), { code: 'not_linked' });
  const both = await Promise.allSettled([ask(link, proxy.issuer), ask(link, proxy.issuer)]);
  t.match(both, [{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'already_in_progress' } }]);
  const { userCode } = link.linkState().request!;
  await link.cancelLinkRequest();
  t.match(link.linkState(), { request: null, lastRequest: { outcome: 'cancelled' } });
  await proxy.approve(userCode);
  const next = await ask(link, proxy.issuer);
  t.not(next.userCode, userCode, 'another can follow at once');
  t.equal(credentials.pairing(), null);
  t.equal(proxy.daemons.size, 0);
  t.same(await link.unlink(), { proxyTold: true }, 'unlinking cancels it as well');
  t.equal(link.linkState().request, null);
});

t.test('another proxy replaces the first only once it is approved, and the first is told', async (t) => {
  const [first, second] = [await hostedProxy(t), await hostedProxy(t)];
  const { link, credentials, daemonId } = await linked(t, first);
  const request = await ask(link, second.issuer);
  t.equal(credentials.pairing()?.issuer, first.issuer);
  t.ok(first.daemons.has(daemonId));
  await second.approve(request.userCode, 'ben');
  t.match(await decided(link), { outcome: 'approved' });
  t.match(credentials.pairing(), { issuer: second.issuer, account: 'ben' });
  t.notOk(first.daemons.has(daemonId));
  await t.resolves(second.checkDaemonToken(await link.linkToken(), daemonId));
});

t.test('linking again keeps the key; unlinking forgets it', async (t) => {
  const proxy = await hostedProxy(t);
  const { link, store, daemonId } = await linked(t, proxy);
  const key = store.pairing.privateKey();
  await proxy.approve((await ask(link, proxy.issuer)).userCode);
  await decided(link);
  t.equal(store.pairing.privateKey(), key);
  await t.resolves(proxy.checkDaemonToken(await link.linkToken(), daemonId));
  await proxy.approve((await ask(link, proxy.issuer)).userCode, 'ben');
  t.match(await decided(link), { outcome: 'failed', detail: /another account/, resolution: /gamekeeper unlink/ });
  t.match(link.linkState().proxy, { account: 'anna' }, 'the link is kept');
  await link.unlink();
  t.not(store.pairing.privateKey(), key);
});

t.test('a daemon is unlinked even if the proxy is gone', async (t) => {
  const proxy = await hostedProxy(t);
  const { link, credentials } = await linked(t, proxy);
  await proxy.close();
  t.same(await link.unlink(), { proxyTold: false });
  t.equal(credentials.pairing(), null);
  await t.rejects(link.unlink(), { code: 'not_linked' });
  t.throws(() => link.changeLink({ name: 'Attic' }), { code: 'not_linked' });
});

t.test('a daemon that its owner has removed at the proxy is unlinked', async (t) => {
  const proxy = await hostedProxy(t);
  const { link, daemonId } = await linked(t, proxy);
  proxy.daemons.delete(daemonId);
  t.same(await link.unlink(), { proxyTold: true });
});

t.test('who was removed while the request waited does not get a link', async (t) => {
  const proxy = await hostedProxy(t);
  const { link, store, credentials, daemonId } = linking(t);
  for (const username of ['admin', 'olga'])
    credentials.addUser({
      user: { username, role: 'admin', passwordHash: 'x', mustChangePassword: false, instances: ['*'] },
      by: null,
    });
  const by = { username: 'olga', version: store.users.find('olga')!.version };
  const { userCode } = await link.requestLink({ link: { url: proxy.issuer, scopes: [...SCOPES] }, by });
  credentials.updateUser({ username: 'olga', change: { role: 'viewer' }, by: null });
  await proxy.approve(userCode, 'olga');
  t.match(await decided(link), { outcome: 'failed', detail: /changed or signed out/ });
  t.equal(credentials.pairing(), null);
  t.notOk(proxy.daemons.has(daemonId));
});

t.test('a proxy that is away for a moment, or asks to be asked less often, is asked again', async (t) => {
  const proxy = await hostedProxy(t);
  const { link } = linking(t);
  let failures = 2;
  proxy.interfere = ({ url }, response) => {
    if (url !== '/token' || failures-- <= 0) return false;
    if (failures === 1) response.destroy();
    else response.writeHead(502).end('<h1>Bad gateway</h1>');
    return true;
  };
  await proxy.approve((await ask(link, proxy.issuer)).userCode);
  t.match(await decided(link), { outcome: 'approved' });

  let slowed = false;
  proxy.interfere = ({ url }, response) => {
    if (url !== '/token' || slowed) return false;
    slowed = true;
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"slow_down"}');
    return true;
  };
  await ask(link, proxy.issuer);
  await until('it was told to slow down', () => slowed);
  const before = proxy.asked.length;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  t.equal(proxy.asked.length, before, 'the next question comes 5 s later (RFC 8628, section 3.5)');
});

t.test('a registration without an answer is repeated', async (t) => {
  const proxy = await hostedProxy(t);
  const { link, daemonId } = linking(t);
  let failed = false;
  proxy.interfere = ({ url }, response) => {
    if (url !== '/api/daemons' || failed) return false;
    failed = true;
    response.destroy();
    return true;
  };
  await proxy.approve((await ask(link, proxy.issuer)).userCode);
  t.match(await decided(link), { outcome: 'approved' });
  t.ok(proxy.daemons.has(daemonId));
});

t.test('an address that is no proxy, or cannot be trusted, is refused', async (t) => {
  const { link } = linking(t);
  const server = createServer((request, response) => answers(request.url ?? '', response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metadata = { issuer: url, device_authorization_endpoint: `${url}/device`, token_endpoint: `${url}/token` };
  const code = { device_code: 'd', user_code: 'AB-CD', verification_uri: `${url}/d`, expires_in: 60 };
  let answers: (url: string, response: import('node:http').ServerResponse) => void = () => undefined;
  const serve = (described: unknown, given: unknown = code) => {
    answers = (asked, response) => response.end(JSON.stringify(asked.startsWith('/.well-known') ? described : given));
  };
  const refused = async (what: string, expected: { code: string; message: RegExp }) => {
    await t.rejects(ask(link, url), expected, what);
    t.equal(link.linkState().request, null, what);
  };

  for (const address of [
    'http://proxy.example.net',
    'ftp://127.0.0.1',
    'https://a:b@proxy.example.net',
    'not a host',
    '',
  ])
    await t.rejects(ask(link, address), { code: 'invalid_request', resolution: /https:/ }, address);
  await t.rejects(ask(link, 'http://127.0.0.1:1'), { code: 'proxy_unavailable', message: /ECONNREFUSED|bad port/ });
  answers = (_url, response) => response.end('<h1>Hello</h1>');
  await refused('a website', { code: 'proxy_refused', message: /is not a hosted proxy/ });
  answers = (_url, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  await refused('a redirect', { code: 'proxy_refused', message: /redirects/ });
  answers = (_url, response) => response.end('x'.repeat(1024 * 1024));
  await refused('an endless answer', { code: 'proxy_unavailable', message: /larger than/ });
  serve({ ...metadata, issuer: 'https://proxy.example.net' });
  await refused('another issuer', { code: 'proxy_refused', message: /calls itself/ });
  serve({ ...metadata, token_endpoint: 'http://127.0.0.1:1/token' });
  await refused('an endpoint elsewhere', { code: 'proxy_refused', message: /another host/ });
  serve(metadata, { ...code, verification_uri: 'javascript:alert(1)' });
  await refused('an address that is a script', { code: 'proxy_refused', message: /another host/ });
  serve(metadata, { ...code, user_code: '\x1b[2J' });
  await refused('a code that clears the terminal', { code: 'proxy_refused', message: /gave no code/ });
  serve(metadata, { error: 'invalid_client', error_description: 'no such client' });
  await refused('an error', { code: 'proxy_refused', message: /no such client/ });
});

t.test('the proxy is asked about the grants that something depends on', async (t) => {
  const proxy = await hostedProxy(t);
  const { link, credentials, store, daemonId } = await linked(t, proxy);
  const ended = new Set<string>();
  const watching = new AbortController();
  const watched = (async () => {
    for await (const event of credentials.watchCredentials(watching.signal))
      if (event.type === 'grants-ended') for (const grantId of event.grantIds) ended.add(grantId);
  })();
  for (const id of ['good', 'bad', 'worse']) link.useGrant(id);
  link.endGrant('worse');
  await until('the proxy has reported it', () => ended.has('worse'));
  t.throws(() => link.useGrant('worse'), { code: 'unauthenticated' }, 'nothing more can depend on it');

  proxy.endedGrants.add('bad').add('seen by the gateway');
  link.askAboutGrants(['seen by the gateway']);
  await until('the proxy says so when asked', () => ended.has('bad') && ended.has('seen by the gateway'));
  t.same(['good', 'bad', 'worse', 'never used'].map(link.isGoodGrant), [true, false, false, false]);

  proxy.daemons.delete(daemonId);
  link.askAboutGrants([]);
  await until('all end with the daemon', () => ended.has('good'));
  watching.abort();
  await watched;

  link.useGrant('other');
  credentials.removePairing();
  t.same(store.usedGrants.all(), [], 'they end with the pairing');
});
