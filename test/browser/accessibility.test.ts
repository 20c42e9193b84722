import t from 'tap';
import {
  accessibilityFaults,
  field,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { openPage, PAGES, startWithEveryPage } from '../support/browser/every-page.ts';
import { takePictures } from '../support/browser/pictures.ts';

t.test('every page passes axe and fits into the window', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startWithEveryPage(t);

  for (const screen of ['desktop', 'phone'] as const) {
    const window = await openWindow(browser, gamekeeper, { screen, scheme: 'dark' });
    const { page, visit, complaints } = window;
    const looksFine = (name: string, open: () => Promise<void>) =>
      t.test(`${name} on a ${screen}`, async (t) => {
        await open();
        t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing');
        t.notOk(await scrollsSideways(page), 'it fits into the window');
        await takePictures(page, { name, screen });
      });

    await looksFine('sign-in', async () => {
      await visit('/');
      await field(page, 'Username').waitFor();
    });
    await signInAs(window, gamekeeper);
    for (const [name, shown] of Object.entries(PAGES)) await looksFine(name, () => openPage(window, shown));
    t.same(complaints, [], `on a ${screen}: no errors in the browser console, no requests to other hosts`);
    await page.context().close();
  }
});
