import t from 'tap';
import { chooseInPalette, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('a sleeping server can be stopped from the list, its page and the palette', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
  const { page, visit } = window;
  // A real server would sleep only after a minute without players.
  const { body: instances } = await gamekeeper.api<object[]>('GET', '/instances');
  await page.route('**/instances', (route) =>
    route.fulfill({ json: instances.map((each) => ({ ...each, phase: 'sleeping' })) }),
  );
  // The event stream would say at its start that the server is stopped, and the menu would change under the pointer. Without a shared worker, the page
  // itself asks for it, so it can be held back.
  await page.addInitScript('delete globalThis.SharedWorker');
  await page.route('**/events', () => undefined);
  await page.route('**/instances/demo/stop', (route) => route.fulfill({ status: 202, json: {} }));
  const stopRequest = () => page.waitForRequest((request) => request.url().endsWith('/instances/demo/stop'));
  await signInAs(window, gamekeeper);

  for (const path of ['/', '/servers/demo/console']) {
    await visit(path);
    await page.getByRole('button', { name: 'More actions' }).click();
    const stop = page.getByRole('menuitem', { name: 'Stop' });
    await stop.waitFor();
    t.equal(await page.getByRole('menuitem', { name: 'Kill' }).count(), 0, `${path}: no kill button`);
    await Promise.all([stopRequest(), stop.click()]);
  }
  await Promise.all([stopRequest(), chooseInPalette(page, 'Stop Demo')]);
});
