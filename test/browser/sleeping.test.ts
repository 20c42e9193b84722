import t from 'tap';
import { chooseInPalette, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('a sleeping server is stopped from the list, from its page, and by its name', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
  const { page, visit } = window;
  // It takes a minute without players until one truly sleeps.
  await page.route('**/instances', async (route) => {
    const response = await route.fetch();
    const instances: object[] = await response.json();
    await route.fulfill({ response, json: instances.map((each) => ({ ...each, phase: 'sleeping' })) });
  });
  await page.route('**/instances/demo/stop', (route) => route.fulfill({ status: 202, json: {} }));
  const isAsked = () => page.waitForRequest((request) => request.url().endsWith('/instances/demo/stop'));
  await signInAs(window, gamekeeper);

  for (const path of ['/', '/servers/demo/console']) {
    await visit(path);
    await page.getByRole('button', { name: 'More actions' }).click();
    await Promise.all([isAsked(), page.getByRole('menuitem', { name: 'Stop' }).click()]);
    t.equal(await page.getByRole('menuitem', { name: 'Kill' }).count(), 0, `${path}: there is nothing to kill`);
  }
  await Promise.all([isAsked(), chooseInPalette(page, 'Stop Demo')]);
});
