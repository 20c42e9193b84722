/** The panel of a real daemon through a real proxy: what it may do, what it may not, and how it ends. */
import { once } from 'node:events';
import path from 'node:path';
import t from 'tap';
import type { WebSocket } from 'ws';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { linkToProxy, untilConnected } from '../support/proxy/linked-daemon.ts';
import { type OauthWorld, oauthWorld } from '../support/proxy/oauth-world.ts';
import { PANEL_DOMAIN, PanelVisitor, panelOrigin } from '../support/proxy/panel-visitor.ts';

const ENDED_WITHIN_MS = 2_000;

interface Panel {
  gamekeeper: Gamekeeper;
  world: OauthWorld;
  daemonId: string;
  visitor: PanelVisitor;
}

async function openPanel(t: Parameters<typeof oauthWorld>[0]): Promise<Panel> {
  const gamekeeper = await startGamekeeper(t);
  const world = await oauthWorld(t, { GAMEKEEPER_PROXY_DAEMON_DOMAIN: PANEL_DOMAIN });
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const daemonId = path.basename(await linkToProxy(t, gamekeeper, world));
  await untilConnected(gamekeeper);
  const visitor = new PanelVisitor(panelOrigin(world, daemonId));
  await visitor.enter(await world.browser('anna'));
  return { gamekeeper, world, daemonId, visitor };
}

async function openConsole(visitor: PanelVisitor): Promise<{ console: WebSocket; shown: () => string }> {
  const console = visitor.socket('/ws/instances/demo/console');
  let shown = '';
  console.on('message', (data) => {
    shown += data;
  });
  await once(console, 'open');
  return { console, shown: () => shown };
}

async function json<T>(visitor: PanelVisitor, route: string): Promise<T> {
  return JSON.parse((await visitor.ask('GET', route)).text) as T;
}

t.test('the owner uses the panel, and nothing that needs a user of the machine', async (t) => {
  const { world, daemonId, visitor } = await openPanel(t);
  const page = await visitor.open('/ui/servers/demo/console');
  t.match(page, { status: 200, text: /<script type="module"/ });
  t.match(page.headers, {
    'content-security-policy': /frame-ancestors 'none'/,
    'cross-origin-opener-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'x-frame-options': 'DENY',
  });
  t.match(await json(visitor, '/api/session'), { username: 'anna', role: 'admin', proxy: world.proxy.url });
  t.match(await json(visitor, '/instances'), [{ id: 'demo', status: 'stopped' }]);
  t.equal((await visitor.ask('POST', '/instances/demo/start')).status, 200);
  await until('it runs', async () => (await json<{ status: string }>(visitor, '/instances/demo')).status === 'running');

  const { console, shown } = await openConsole(visitor);
  console.send('say hello from the panel');
  await until('the console shows it', () => shown().includes('hello from the panel'));

  for (const route of ['/api/users', '/api/tokens', '/api/settings', '/api/link', '/api/audit', '/docs'])
    t.equal((await visitor.ask('GET', route)).status, 404, route);
  for (const [method, route] of [
    ['PUT', '/api/password'],
    ['POST', '/api/login'],
    ['POST', '/api/totp'],
    ['DELETE', '/api/link'],
    ['POST', '/ws/ticket'],
  ] as const)
    t.equal((await visitor.ask(method, route, { body: {} })).status, 404, `${method} ${route}`);
  const launched = await visitor.ask('PATCH', '/instances/demo', { body: { launch: { command: 'sh' } } });
  t.match(launched.status, /40[03]/, 'nobody says what runs');

  await t.test('a disabled account closes the console and ends the session', async (t) => {
    const closed = once(console, 'close');
    const at = performance.now();
    t.equal((await world.proxy.command(['user', 'disable', 'anna'])).code, 0);
    await closed;
    t.comment(`${Math.round(performance.now() - at)} ms, the command included`);
    t.equal((await visitor.ask('GET', '/instances')).status, 401);
  });
  t.ok(daemonId);
});

t.test('signing out at the proxy closes what is open, and nothing else', async (t) => {
  const { world, daemonId, visitor } = await openPanel(t);
  const other = new PanelVisitor(panelOrigin(world, daemonId));
  const otherBrowser = await world.browser('anna');
  await other.enter(otherBrowser);
  const [{ console }, { console: kept }] = [await openConsole(visitor), await openConsole(other)];
  const closed = once(kept, 'close');
  const at = performance.now();
  await otherBrowser.post('/sign-out', {});
  await closed;
  t.ok(performance.now() - at < ENDED_WITHIN_MS, `${Math.round(performance.now() - at)} ms`);
  t.equal(console.readyState, console.OPEN);
  t.equal((await visitor.ask('GET', '/instances')).status, 200);
  console.close();
});

t.test('the limit of the link holds for the panel, and forbids it without servers:read', async (t) => {
  const { gamekeeper, world, visitor } = await openPanel(t);
  const headers = { cookie: await gamekeeper.login(), origin: gamekeeper.addresses().panel };
  const limit = (...scopes: string[]) => gamekeeper.api('PATCH', '/api/link', { scopes }, headers);
  t.equal((await limit('servers:read', 'logs:read')).status, 200);
  t.match(await json(visitor, '/api/session'), { role: 'viewer' });
  t.equal((await visitor.ask('GET', '/instances')).status, 200);
  t.equal((await visitor.ask('POST', '/instances/demo/start')).status, 403);

  t.equal((await limit('logs:read')).status, 200);
  t.equal((await visitor.ask('GET', '/api/session')).status, 403, 'also for sessions that are open');
  t.equal((await visitor.ask('GET', '/instances')).status, 403);
  const again = await (await world.browser('anna')).open(await new PanelVisitor(visitor.origin).setOut());
  t.match(again, { status: 403, text: /does not let this proxy use the panel/ });
});

t.test('a computer that is off is shown as such', async (t) => {
  const { gamekeeper, world, daemonId, visitor } = await openPanel(t);
  await gamekeeper.endDaemon('SIGKILL');
  const away = async () => (await visitor.ask('GET', '/instances')).status === 503;
  await until('the link is gone', away);
  const page = await visitor.open('/ui/');
  t.match(page, { status: 303, headers: { location: `${world.proxy.url}/panel/${daemonId}` } });
  const shown = await (await world.browser('anna')).open(page.headers.location ?? '');
  t.match(shown.text, /not connected\. It was last seen/);

  await gamekeeper.startDaemon();
  t.match(await gamekeeper.cli('unlink'), { code: 0 });
  t.equal((await visitor.ask('GET', '/instances')).status, 401, 'unlinked: the session is over');
});
