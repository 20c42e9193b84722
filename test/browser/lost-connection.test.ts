import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import {
  accessibilityFaults,
  field,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { freePort } from '../support/machine/free-port.ts';
import { startStallingRelay } from '../support/machine/stalling-relay.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** Pages of every kind, with their headings. The console also reports it in the terminal (live.test.ts). */
const PAGES = {
  '/': 'Servers',
  '/new': 'New server',
  '/servers/demo/console': 'Demo',
  '/servers/demo/settings': 'Demo',
  '/host/users': 'Users',
};

const NOTICED_WITHIN_MS = 5_000;

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

t.test(
  'a network that silently drops everything is noticed within 5 s, one that the browser knows to be gone at once',
  async (t) => {
    const browser = await startBrowser(t);
    if (!browser) return;
    const gamekeeper = await startGamekeeper(t);
    const network = await startStallingRelay(t, { to: Number(new URL(gamekeeper.addresses().panel).port) });
    const addresses = () => ({ ...gamekeeper.addresses(), panel: `http://127.0.0.1:${network.port}` });
    const window = await openWindow(browser, { addresses }, { screen: 'desktop', scheme: 'dark' });
    const { page } = window;
    await signInAs(window, gamekeeper);
    const getsEvents = async (name: string) => {
      await gamekeeper.api('POST', '/instances', { software: 'demo', name });
      await page.getByRole('article', { name }).waitFor();
    };
    await page.getByRole('heading', { name: 'No servers yet' }).waitFor();
    await getsEvents('Before');
    await page.evaluate(HEARS_HEARTBEAT);

    network.stall({ alsoNew: true });
    await until('the loss is shown', () => lost(page).isVisible(), { deadlineMs: NOTICED_WITHIN_MS });
    network.resume();
    await lost(page).waitFor({ state: 'detached' });
    await getsEvents('Afterwards');

    t.ok(await page.evaluate(SHOWS_OFFLINE));
    // The stream went on, as if the daemon were on this computer.
    await lost(page).waitFor({ state: 'detached' });
  },
);

t.test(
  'a part that is gone after an upgrade is loaded by a reload; if it is still gone, the page offers one',
  async (t) => {
    const browser = await startBrowser(t);
    if (!browser) return;
    const gamekeeper = await startGamekeeper(t);
    const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'light' });
    const { page, follow } = window;
    await signInAs(window, gamekeeper);
    let isReloaded = false;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isReloaded = true;
    });
    const gone = { status: 404, body: '' };
    await page.route('**/assets/TokensPage-*.js', (route) => (isReloaded ? route.continue() : route.fulfill(gone)));
    await follow('/host/tokens');
    await page.getByRole('heading', { name: 'Tokens', exact: true }).waitFor();
    t.ok(isReloaded, 'by itself');

    const part = '**/assets/StoragePage-*.js';
    await page.route(part, (route) => route.fulfill(gone));
    await follow('/host/storage');
    await page.getByRole('alert').getByText('This page could not be loaded').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Users' }).waitFor();
    t.same(await accessibilityFaults(page, ['dark', 'light']), []);
    await page.unroute(part);
    await page.getByRole('button', { name: 'Reload page' }).click();
    await page.getByRole('heading', { name: 'Storage', exact: true }).waitFor();
  },
);

function lost(page: Page): Locator {
  return page.getByRole('status').filter({ hasText: 'Connection lost' });
}

/** Resolves at the first heartbeat of another stream: that of the page, which was opened before, has had one too. */
const HEARS_HEARTBEAT = `new Promise((resolve) => {
  const stream = new EventSource('/events');
  stream.addEventListener('heartbeat', () => {
    stream.close();
    resolve();
  });
})`;

/** Tells the page that there is no network. Resolves to whether it shows that at once. */
const SHOWS_OFFLINE = `(async () => {
  dispatchEvent(new Event('offline'));
  await new Promise((resolve) => setTimeout(resolve));
  return document.querySelector('.connection-lost') !== null;
})()`;

const SCROLLS = 'document.documentElement.scrollHeight > document.documentElement.clientHeight';

/** Whether the notice is within the window, wherever the page is scrolled to. */
function isInSight(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const { top, bottom } = document.querySelector('.connection-lost').getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`);
}
