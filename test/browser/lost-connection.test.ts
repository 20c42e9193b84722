import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { field, openWindow, scrollsSideways, signInAs, startBrowser } from '../support/browser/browser.ts';
import { freePort } from '../support/machine/free-port.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** Pages of every kind, with their headings. The console also reports it in the terminal (live.test.ts). */
const PAGES = {
  '/': 'Servers',
  '/new': 'New server',
  '/servers/demo/console': 'Demo',
  '/servers/demo/settings': 'Demo',
  '/host/users': 'Users',
};

t.test('every page shows a lost connection until it is back', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  // The pages reconnect to the same port.
  const gamekeeper = await startGamekeeper(t, { env: { GAMEKEEPER_PORT: String(await freePort()) } });
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
  await signInAs(window, gamekeeper);
  const pages = new Map<string, Page>();
  for (const [path, heading] of Object.entries(PAGES)) {
    const page = await window.page.context().newPage();
    pages.set(path, page);
    await page.goto(`${gamekeeper.addresses().panel}/ui${path}`);
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  }
  const settings = pages.get('/servers/demo/settings')!;
  const name = field(settings, 'Name');
  await name.fill('Typed before');
  await settings.evaluate('scrollTo(0, document.body.scrollHeight)');

  await gamekeeper.endDaemon('SIGTERM');
  for (const [path, page] of pages) {
    await lost(page).waitFor();
    t.ok(await isInSight(page), `${path}: it is visible`);
    t.notOk(await scrollsSideways(page), `${path}: fits on a phone`);
  }
  t.notOk(await pages.get('/servers/demo/console')!.evaluate(SCROLLS), 'the console shrinks');
  // Neither has loaded these parts of the panel before.
  const missing = {
    '/': ['/host/tokens', 'Tokens'],
    '/servers/demo/console': ['/servers/demo/files', 'Demo'],
  } as const;
  for (const [path, [next]] of Object.entries(missing)) {
    const page = pages.get(path)!;
    await page.evaluate(`history.pushState(null, '', '/ui${next}')`);
    await page.getByRole('alert').getByText('This page could not be loaded').waitFor();
    await page.getByRole('button', { name: 'Menu' }).waitFor();
  }

  await gamekeeper.startDaemon();
  for (const page of pages.values()) await lost(page).waitFor({ state: 'detached' });
  for (const [path, [, heading]] of Object.entries(missing)) {
    const page = pages.get(path)!;
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  }
  await pages.get('/')!.goto(`${gamekeeper.addresses().panel}/ui/`);
  await gamekeeper.api('PATCH', '/instances/demo', { name: 'Renamed' });
  const { status, body } = await gamekeeper.api('POST', '/instances/demo/start');
  t.equal(status, 200, JSON.stringify(body));
  await gamekeeper.waitForStatus('demo', 'running');
  await pages.get('/')!.getByRole('article', { name: 'Renamed' }).getByText('Running').waitFor();
  t.equal(await name.inputValue(), 'Typed before', 'unsaved input is still there');
});

function lost(page: Page): Locator {
  return page.getByRole('status').filter({ hasText: 'Connection lost' });
}

const SCROLLS = 'document.documentElement.scrollHeight > document.documentElement.clientHeight';

/** Whether the notice is within the window, wherever the page is scrolled to. */
function isInSight(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const { top, bottom } = document.querySelector('.connection-lost').getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`);
}
