/** The panel through the hosted proxy in Chromium: from the account page to the console and back, with a daemon that turns hostile. */
import path from 'node:path';
import t from 'tap';
import { axeFaults, startBrowser } from '../support/browser/browser.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { linkToProxy, untilConnected } from '../support/proxy/linked-daemon.ts';
import { oauthWorld } from '../support/proxy/oauth-world.ts';
import { PANEL_DOMAIN, panelOrigin } from '../support/proxy/panel-visitor.ts';
import { PASSWORD } from '../support/proxy/proxy-process.ts';

const TIMEOUT_MS = 60_000;

t.test('the owner opens the panel at the proxy, uses it and signs out', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const world = await oauthWorld(t, { GAMEKEEPER_PROXY_DAEMON_DOMAIN: PANEL_DOMAIN });
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const daemonId = path.basename(await linkToProxy(t, gamekeeper, world));
  await untilConnected(gamekeeper);
  const browser = await startBrowser(t);
  if (!browser) return;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' });
  context.setDefaultTimeout(TIMEOUT_MS);
  const complaints: string[] = [];
  context.on('weberror', (error) => complaints.push(`exception: ${error.error().stack}`));
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
  });
  const page = await context.newPage();
  const origin = panelOrigin(world, daemonId);

  // From a bookmark: the browser signs in at the proxy and comes back to the page.
  await page.goto(`${origin}/ui/servers/demo/console`);
  t.equal(new URL(page.url()).origin, world.proxy.url);
  await page.getByText('to continue to the panel').waitFor();
  await page.getByLabel('Name').fill('anna');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${origin}/ui/servers/demo/console`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page
    .getByLabel(/command/i)
    .first()
    .fill('say hello from Chromium');
  await page.keyboard.press('Enter');
  await page.getByText('hello from Chromium').first().waitFor();

  await t.test('the manifest with which it can be installed is sent to this browser', async (t) => {
    const devTools = await context.newCDPSession(page);
    const { url, errors, data } = await devTools.send('Page.getAppManifest');
    t.equal(url, `${origin}/ui/manifest.webmanifest`);
    t.same(errors, []);
    t.match(data, /"start_url"/);
  });

  const menu = page.getByRole('navigation');
  await menu.getByText(`You are connected through ${new URL(world.proxy.url).host}`).waitFor();
  for (const absent of ['Users', 'Tokens', 'Account', 'Remote access'])
    t.equal(await menu.getByRole('link', { name: absent, exact: true }).count(), 0, absent);
  await menu.getByRole('link', { name: 'Java' }).click();
  await menu.getByRole('link', { name: 'About' }).click();
  t.same(await axeFaults(page), []);

  await t.test('a script on the page reaches neither the cookie, nor the proxy, nor a service worker', async (t) => {
    t.equal(await page.evaluate('document.cookie'), '');
    const tried = (code: string) =>
      page.evaluate<string>(`(async () => { ${code} })().then(String, (e) => 'failed: ' + e.name)`);
    const account = JSON.stringify(`${world.proxy.url}/account`);
    t.match(await tried(`return await fetch(${account}, { credentials: 'include' })`), /^failed/);
    t.match(await tried(`return await navigator.serviceWorker.register('/ui/sw.js')`), /^failed/);
    t.match(
      await tried('const o = window.open("/"); return o === null ? "failed: no window" : "opened"'),
      /opened|failed/,
    );
    complaints.length = 0;
  });

  await page.goto(`${world.proxy.url}/account`);
  await page.getByRole('link', { name: 'Open panel: Attic' }).click();
  await page.waitForURL(`${origin}/ui/`);
  await page.goto(`${world.proxy.url}/fleet/${daemonId}`);
  await page.getByRole('link', { name: 'Open panel' }).click();
  await page.waitForURL(`${origin}/ui/`);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${world.proxy.url}/account`);
  t.same(complaints, []);

  // The session at the proxy ends while the panel is open.
  await page.goto(`${origin}/ui/servers/demo/console`);
  await page.getByText('hello from Chromium').first().waitFor();
  const other = await context.newPage();
  await other.goto(`${world.proxy.url}/account`);
  await other.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await other.waitForURL(`${world.proxy.url}/sign-in`);
  await page.getByText('Sign in at the proxy again').waitFor();
  t.same(await axeFaults(page), []);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await until('the browser is at the proxy', async () => new URL(page.url()).origin === world.proxy.url);
});
