/** The hosted proxy: panels on the hosts of daemons, which other people's daemons and pages attack. */
import { once } from 'node:events';
import t from 'tap';
import { freePort } from '../support/machine/free-port.ts';
import { type LinkedDaemon, type OauthWorld, oauthWorld } from '../support/proxy/oauth-world.ts';
import { PANEL_DOMAIN, PanelVisitor, panelOrigin } from '../support/proxy/panel-visitor.ts';
import { startProxy } from '../support/proxy/proxy-process.ts';

/** The session is good; the daemon is not connected. */
const ADMITTED = 503;

async function panelWorld(t: Parameters<typeof oauthWorld>[0]) {
  const world = await oauthWorld(t, { GAMEKEEPER_PROXY_DAEMON_DOMAIN: PANEL_DOMAIN });
  const browser = await world.browser('anna');
  const visitor = (daemon: LinkedDaemon, name?: string) => new PanelVisitor(panelOrigin(world, daemon.daemonId, name));
  return { world, browser, visitor, attic: await world.link('anna', 'Attic') };
}

async function socketStatus(visitor: PanelVisitor, headers: Record<string, string> = {}): Promise<number> {
  const socket = visitor.socket('/ws/instances/demo/console', headers);
  socket.on('error', () => undefined);
  const [, response] = await once(socket, 'unexpected-response');
  response.resume();
  return response.statusCode;
}

t.test('a code works once, on its own host, in the browser that has set out for it', async (t) => {
  const { world, browser, visitor, attic } = await panelWorld(t);
  const cellar = await world.link('anna', 'Cellar');
  const again = { status: 303, headers: { location: /\/panel\/[0-9a-f-]+\?again=1$/ } };

  const own = visitor(attic);
  const code = await own.code(browser, '/ui/servers/demo?tab=console');
  t.match(await own.open(code), { status: 303, headers: { location: '/ui/servers/demo?tab=console' } });
  t.equal((await own.ask('GET', '/instances')).status, ADMITTED);
  t.match(await own.open(code), again, 'the second time');

  const [thief, victim] = [visitor(attic), visitor(attic)];
  const stolen = await victim.code(browser);
  t.match(await thief.open(stolen), again, 'without the cookie of the browser that has set out');
  await thief.setOut();
  t.match(await thief.open(stolen), again, 'with another one');
  t.match(await victim.open(stolen), again, 'and it is used up');

  const elsewhere = visitor(cellar, 'cellar');
  const other = visitor(attic);
  const misdirected = await other.code(browser);
  for (const [name, value] of other.cookies) elsewhere.cookies.set(name, value);
  t.match(await elsewhere.open(misdirected), again, 'on the host of another daemon');

  const raced = visitor(attic);
  const racedCode = await raced.code(browser);
  const answers = await Promise.all(Array.from({ length: 10 }, () => raced.open(racedCode)));
  t.equal(answers.filter(({ headers }) => headers.location === '/ui/').length, 1, 'ten at once');
  t.match(await raced.ask('GET', '/.gamekeeper/enter?code=x'), again, 'a script cannot enter');
});

t.test('a browser comes back to its own host only', async (t) => {
  const { browser, visitor, attic } = await panelWorld(t);
  for (const path of ['//evil.example/', '/\\evil.example', '/ui/../../x', '/instances', '/ui/%0d%0aX:y']) {
    const { headers } = await visitor(attic).enter(browser, path);
    t.match(headers.location, /^\/ui\//, path);
    t.notMatch(headers.location, /[\r\n\\]|evil\.example$/, path);
  }
  const none = await visitor(attic).setOut();
  const forged = await browser.open(
    `${none.replace(/state=.*/, 'state=x')}&origin=https://evil.example&to=//evil.example`,
  );
  t.equal(forged.status, 200, 'nothing in the address chooses where it leads');
  t.notMatch(forged.text, /evil/);
});

t.test('a session is for one daemon, and for nothing at the proxy', async (t) => {
  const { world, browser, visitor, attic } = await panelWorld(t);
  const cellar = await world.link('anna', 'Cellar');
  const [one, other] = [visitor(attic), visitor(cellar, 'cellar')];
  await one.enter(browser);
  for (const [name, value] of one.cookies) other.cookies.set(name, value);
  t.equal((await other.ask('GET', '/instances')).status, 401);
  t.equal(await socketStatus(other), 401);
  const cookie = [...one.cookies].map(([name, value]) => `${name}=${value}; gamekeeper_proxy=${value}`).join('; ');
  const account = await fetch(`${world.proxy.url}/account`, { headers: { cookie }, redirect: 'manual' });
  t.match(account.headers.get('location'), /sign-in/);
  const relay = await fetch(`${world.proxy.url}/d/${attic.daemonId}/instances`, { headers: { cookie } });
  t.equal(relay.status, 401);
  const ownPage = await one.ask('GET', '/account');
  t.equal(ownPage.status, ADMITTED, "the proxy's own pages are not on the host of a daemon");
});

t.test('pages of other origins can do nothing', async (t) => {
  const { world, browser, visitor, attic } = await panelWorld(t);
  const own = visitor(attic);
  await own.enter(browser);
  const neighbour = panelOrigin(world, '00000000-0000-4000-8000-000000000000', 'evil');
  const foreign = [neighbour, world.proxy.url, 'https://evil.example', 'null'];
  for (const origin of foreign) {
    const headers = { origin, 'sec-fetch-site': 'same-site' };
    t.equal((await own.ask('POST', '/instances/demo/stop', { headers })).status, 403, `POST from ${origin}`);
    t.equal((await own.ask('POST', '/api/logout', { headers: { origin } })).status, 403, `sign-out from ${origin}`);
    t.equal((await own.ask('GET', '/instances', { headers: { origin } })).status, 403, `GET from ${origin}`);
    t.equal(await socketStatus(own, { origin }), 403, `WebSocket from ${origin}`);
  }
  for (const site of ['same-site', 'cross-site', 'none']) {
    const headers = { 'sec-fetch-site': site };
    t.equal((await own.ask('GET', '/instances/demo/export', { headers })).status, 403, `an image, ${site}`);
    t.equal((await own.ask('POST', '/instances/demo/stop', { headers })).status, 403, `a form, ${site}`);
  }
  const link = { 'sec-fetch-site': 'cross-site' };
  t.equal((await own.open('/instances/demo/export', link)).status, 403, 'a link to a download');
  t.equal((await own.open('/ui/', link)).status, 303, 'a link to the panel is fine');
  t.equal((await own.open('/ui/', { 'sec-fetch-dest': 'iframe', ...link })).status, 403, 'a frame');
  const worker = { 'service-worker': 'script', 'sec-fetch-dest': 'serviceworker' };
  t.equal((await own.ask('GET', '/ui/sw.js', { headers: worker })).status, 403, 'a service worker');
  t.equal((await own.ask('GET', '/instances')).status, ADMITTED, 'the session goes on');
});

t.test("nobody opens the panel of another account's daemon", async (t) => {
  const { world, visitor, attic } = await panelWorld(t);
  const ben = await world.browser('ben');
  const address = await visitor(attic).setOut();
  const page = await ben.open(address);
  t.equal(page.status, 404);
  t.notMatch(page.text, /Attic/);
  const unknown = await ben.open(address.replace(attic.daemonId, '00000000-0000-4000-8000-000000000000'));
  t.equal(unknown.status, 404);
  t.equal(unknown.text, page.text, 'it cannot be told from one that does not exist');
});

t.test('a session ends with everything that it rests on', async (t) => {
  const { world, visitor } = await panelWorld(t);
  const ends: Record<string, (daemon: LinkedDaemon) => Promise<unknown>> = {
    'sign-out at the proxy': async () => (await signedIn()).post('/sign-out', {}),
    'removing the computer': async ({ daemonId }) => (await signedIn()).post(`/account/daemons/${daemonId}/remove`, {}),
    'unlinking it': async ({ daemonId, token }) =>
      fetch(`${world.proxy.url}/api/daemons/${daemonId}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${await token()}` },
      }),
    'a new password': () =>
      world.proxy.command(['user', 'reset-password', 'anna', '--password-stdin'], 'another one, long'),
    'disabling the account': () => world.proxy.command(['user', 'disable', 'ben']),
  };
  let current: Awaited<ReturnType<OauthWorld['browser']>>;
  const signedIn = async () => current;
  for (const [name, end] of Object.entries(ends)) {
    const account = name === 'disabling the account' ? 'ben' : 'anna';
    current = await world.browser(account);
    const daemon = await world.link(account, 'Attic');
    const own = visitor(daemon);
    await own.enter(current);
    t.equal((await own.ask('GET', '/instances')).status, ADMITTED, `before ${name}`);
    await end(daemon);
    t.equal((await own.ask('GET', '/instances')).status, 401, `after ${name}`);
    t.match(await own.open('/ui/'), { status: 303 }, 'the browser has to show who it is');
  }
});

t.test('a code that waits is worth nothing once its session has ended', async (t) => {
  const { browser, visitor, attic } = await panelWorld(t);
  const own = visitor(attic);
  const code = await own.code(browser);
  await browser.post('/sign-out', {});
  t.match(await own.open(code), { status: 303, headers: { location: /again=1/ } });
});

t.test('signing out of the panel ends its session', async (t) => {
  const { browser, visitor, attic } = await panelWorld(t);
  const own = visitor(attic);
  await own.enter(browser);
  const kept = new Map(own.cookies);
  t.equal((await own.ask('POST', '/api/logout')).status, 204);
  t.equal(own.cookies.size, 0);
  for (const [name, value] of kept) own.cookies.set(name, value);
  t.equal((await own.ask('GET', '/instances')).status, 401);
});

t.test('behind https, a neighbour can neither read nor plant the cookies', async (t) => {
  const port = await freePort();
  await startProxy(t, {
    GAMEKEEPER_PROXY_PORT: String(port),
    GAMEKEEPER_PROXY_URL: 'https://proxy.example.net',
    GAMEKEEPER_PROXY_DAEMON_DOMAIN: 'panel.example.net',
  });
  const origin = 'https://attic-7b0c1c5e6f0e4c519f0c3a5f1f0f7d11.panel.example.net';
  const { status, headers } = await new PanelVisitor(origin, `http://127.0.0.1:${port}`).open('/');
  t.equal(status, 303);
  t.match(
    headers.location,
    /^https:\/\/proxy\.example\.net\/panel\/7b0c1c5e-6f0e-4c51-9f0c-3a5f1f0f7d11\?state=[\w-]{43}$/,
  );
  t.match(headers['set-cookie'], [/^__Host-gamekeeper-panel-entry=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure;/]);
  const codePage = await fetch(`http://127.0.0.1:${port}/device`);
  const ofOauth = codePage.headers.getSetCookie();
  t.ok(ofOauth.length > 0);
  for (const cookie of ofOauth) t.match(cookie, /^__Host-gamekeeper_oauth(\.sig)?=[^;]+; path=\/;.*; secure;/);
  const planted = new PanelVisitor(origin, `http://127.0.0.1:${port}`);
  for (const name of ['gamekeeper-panel', 'gamekeeper-panel_proxy']) planted.cookies.set(name, 'x');
  t.equal((await planted.ask('GET', '/instances')).status, 401, 'names without the prefix count for nothing');
});

t.test('without a domain for panels there are none, and the pages say why', async (t) => {
  const world = await oauthWorld(t);
  const attic = await world.link('anna', 'Attic');
  const browser = await world.browser('anna');
  for (const path of ['/account', `/fleet/${attic.daemonId}`, `/panel/${attic.daemonId}`])
    t.match((await browser.open(path)).text, /GAMEKEEPER_PROXY_DAEMON_DOMAIN/, path);
  const answer = await new PanelVisitor(panelOrigin(world, attic.daemonId)).ask('GET', '/instances');
  t.equal(answer.status, 404, 'every host is the proxy itself');
});
