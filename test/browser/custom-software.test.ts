import t from 'tap';
import {
  accessibilityFaults,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('custom software shows the command to run in a terminal instead of a form', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page, visit } = window;
  await signInAs(window, gamekeeper);
  await visit('/new');
  await page.getByRole('radio', { name: /^Custom program/ }).click();
  await page.getByText('npx gamekeeper create --software custom').waitFor();
  t.equal(await page.getByRole('button', { name: 'Create server' }).count(), 0);
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  await page.getByRole('radio', { name: /^Demo server/ }).click();
  await page.getByRole('button', { name: 'Create server' }).waitFor();
});
