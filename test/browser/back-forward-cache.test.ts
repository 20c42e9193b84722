import t from 'tap';
import { openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** Playwright disables the cache by default. */
const WITH_CACHE = { ignoreDefaultArgs: ['--disable-back-forward-cache'] };

/** Counts how often the browser restores the page from its cache. */
const COUNT_RETURNS = `window.returns_ = 0;
  addEventListener('pageshow', ({ persisted }) => { if (persisted) window.returns_++; });`;

t.test('a page that Back restores from the cache is live again', async (t) => {
  const browser = await startBrowser(t, WITH_CACHE);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  for (const shared of [true, false]) {
    await t.test(shared ? 'with one event stream for all tabs' : 'with one event stream per tab', async (t) => {
      const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
      const { page, complaints } = window;
      if (!shared) await page.addInitScript('delete window.SharedWorker');
      await signInAs(window, gamekeeper);
      const server = page.getByRole('article', { name: 'Demo' });
      await server.getByText('Stopped').waitFor();
      await page.evaluate(COUNT_RETURNS);
      await page.goto(`${gamekeeper.addresses().panel}/docs`);
      await gamekeeper.api('POST', '/instances/demo/start');
      await gamekeeper.waitForStatus('demo', 'running');
      await page.goBack({ waitUntil: 'commit' });
      await until('the page is restored', async () => (await page.evaluate('window.returns_')) === 1);
      await server.getByText('Running').waitFor();
      await gamekeeper.api('POST', '/instances/demo/stop');
      await server.getByText('Stopped').waitFor();
      t.same(complaints, []);
      await page.context().close();
    });
  }
});
