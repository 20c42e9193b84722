import t from 'tap';
import { field, hasLoaded, openWindow, scrollsSideways, signInAs, startBrowser } from '../support/browser/browser.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** Maximum height of one line of text. Pixels. */
const ONE_LINE = 28;

/** Widths of windows, the widest last. Pixels. */
const WINDOWS = [390, 820, 1440, 1920];
/** By the width in the widest window, in pixels. */
const PAGES = {
  1080: [
    '/',
    ...['players', 'worlds', 'backups', 'schedules', 'charts', 'crashes'].map((tab) => `/servers/running/${tab}`),
    ...['users', 'tokens', 'games', 'java', 'audit'].map((page) => `/host/${page}`),
  ],
  752: [
    ...['properties', 'tunnel', 'settings'].map((tab) => `/servers/running/${tab}`),
    ...['account', 'storage', 'remote', 'link', 'about'].map((page) => `/host/${page}`),
  ],
};
/** The outermost element of a page, or of a server's tab. */
const FRAME = '#content > .mantine-Container-root, [role=tabpanel] > *';
/** The texts of what is wider than shown. */
const CUT_IN_HEADER = `[...document.querySelectorAll('.server-header :not(.editable-icon)')]
  .filter(({ clientWidth, scrollWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
  .map(({ textContent }) => textContent)`;

t.test('rows stay on one line, cards line up, and hidden tabs are hinted at', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  for (const name of ['Running', 'Stopped']) await gamekeeper.api('POST', '/instances', { software: 'demo', name });
  await gamekeeper.api('POST', '/instances/running/start');
  await gamekeeper.waitForStatus('running', 'running');
  for (const command of ['demo join SixteenLetters16', 'demo join Alex', 'op Alex', 'op SixteenLetters16'])
    await gamekeeper.api('POST', '/instances/running/commands', { command });
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page, visit } = window;
  await signInAs(window, gamekeeper);

  await t.test('the name of an operator and the time of joining stay on one line on a phone', async (t) => {
    await visit('/servers/running/players');
    await page.getByRole('columnheader', { name: 'Joined' }).waitFor();
    for (const name of ['Alex', 'SixteenLetters16']) {
      const row = page.getByRole('row').filter({ hasText: name }).filter({ hasText: 'Operator' });
      for (const part of [row.locator('time'), row.getByText(name, { exact: true })]) {
        const box = await part.boundingBox();
        t.ok(box && box.height < ONE_LINE, `${box?.height} pixels high`);
      }
    }
  });

  await t.test("a server's name, address and stats are not cut in any window", async (t) => {
    await visit('/servers/running/console');
    const header = page.locator('.server-header');
    await header.getByText('2 of 20').waitFor();
    for (const width of WINDOWS) {
      await page.setViewportSize({ width, height: 900 });
      await header.getByRole('button', { name: 'Restart' }).waitFor({ state: width < 768 ? 'detached' : 'attached' });
      t.same(await page.evaluate(CUT_IN_HEADER), [], `${width} pixels wide`);
    }
    await page.setViewportSize({ width: 390, height: 844 });
  });

  await t.test('fields line up, with a description or without, and checkboxes have corners', async (t) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await visit('/servers/running/settings');
    const top = async (label: string) => (await field(page, label).boundingBox())?.y;
    t.type(await top('Sleep when empty'), 'number');
    t.equal(await top('Sleep when empty'), await top('Player limit'));
    const corners = `getComputedStyle(document.querySelector('main input[type=checkbox]:not([role=switch])')).borderRadius`;
    t.equal(await page.evaluate<string>(corners), '4px');
    await page.setViewportSize({ width: 390, height: 844 });
  });

  await t.test('the default action on a player is a harmless one', async (t) => {
    await visit('/servers/running/players');
    t.equal(await page.locator('input[aria-label="Actions"]').inputValue(), 'Add to whitelist');
  });

  await t.test('tabs fade at the edge, and the last one can be scrolled into full view', async (t) => {
    const { mask, gap } = await page.evaluate<{ mask: string; gap: number }>(`(() => {
      const list = document.querySelector('[role=tablist]');
      list.scrollLeft = list.scrollWidth;
      const { right } = list.lastElementChild.getBoundingClientRect();
      return { mask: getComputedStyle(list).maskImage, gap: list.getBoundingClientRect().right - right };
    })()`);
    t.match(mask, /linear-gradient\(to right/);
    t.ok(Math.round(gap) >= 40, `${gap} pixels from the edge`);
  });

  await t.test('the cards of a running and a stopped server line up', async (t) => {
    // So narrow that the stats of the running server need a line of their own.
    await page.setViewportSize({ width: 1000, height: 800 });
    await visit('/');
    const rows = async (name: string) => {
      await page.getByRole('article', { name }).waitFor();
      return page.evaluate<number[]>(
        `[...document.querySelector('article[aria-label=${name}] > *').children].map((row) => Math.round(row.getBoundingClientRect().top))`,
      );
    };
    await page.getByRole('article', { name: 'Running' }).getByText(/RAM/).waitFor();
    t.same(await rows('Stopped'), await rows('Running'));
  });

  await t.test('pages have one of two widths, and fit into every window', async (t) => {
    for (const [width, paths] of Object.entries(PAGES))
      for (const path of paths) {
        await visit(path);
        await page.locator(FRAME).first().waitFor();
        await hasLoaded(page);
        for (const window of WINDOWS) {
          await page.setViewportSize({ width: window, height: 900 });
          await until(`${path} fits into ${window} pixels`, async () => !(await scrollsSideways(page)));
        }
        t.equal((await page.locator(FRAME).first().boundingBox())?.width, Number(width), path);
      }
  });
});
