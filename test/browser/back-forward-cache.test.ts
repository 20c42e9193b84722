import type { Page } from 'playwright-core';
import t from 'tap';
import { openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** Playwright disables the cache by default. */
const WITH_CACHE = { ignoreDefaultArgs: ['--disable-back-forward-cache'] };

/** Counts how often the browser restores the page from its cache. */
const COUNT_RETURNS = `window.returns_ = 0;
  addEventListener('pageshow', ({ persisted }) => { if (persisted) window.returns_++; });`;

const MOST_TRIES = 5;

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
      const refusals = await watchRefusals(page);
      for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
        await page.evaluate(COUNT_RETURNS);
        await page.goto(`${gamekeeper.addresses().panel}/docs`);
        await gamekeeper.api('POST', '/instances/demo/start');
        await gamekeeper.waitForStatus('demo', 'running');
        await page.goBack({ waitUntil: 'commit' });
        const restored = await isRestored(page);
        await server.getByText('Running').waitFor();
        await gamekeeper.api('POST', '/instances/demo/stop');
        await server.getByText('Stopped').waitFor();
        if (restored) break;
        t.same(refusals.splice(0), ['Circumstantial'], 'the browser blames itself, not the page');
        t.not(attempt, MOST_TRIES, 'the browser restores the page in the end');
      }
      t.same(complaints, []);
      await page.context().close();
    });
  }
});

/** A live list of why the browser did not restore the page: of the machine (a cache that was slow or full), or of the page. */
async function watchRefusals(page: Page): Promise<string[]> {
  const types: string[] = [];
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  session.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) => {
    types.push(
      ...new Set(notRestoredExplanations.map(({ type, reason }) => (type === 'Circumstantial' ? type : reason))),
    );
  });
  return types;
}

/** Whether the browser restored the page, and did not load it anew. */
async function isRestored(page: Page): Promise<boolean> {
  let returns: unknown;
  await until('the page is back', async () => {
    returns = await page.evaluate('document.readyState === "complete" ? (window.returns_ ?? "loaded") : 0');
    return returns !== 0;
  });
  return returns === 1;
}
