import t from 'tap';
import {
  field,
  hasLoaded,
  openWindow,
  type PanelWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** Maximum height of one line of text. Pixels. */
const ONE_LINE = 28;

/** Widths of windows. Pixels. */
const WINDOWS = [390, 820, 1440, 1920] as const;
/** Where the content of every page begins and ends, by the width of the window: beside the navigation, in the middle of what is left. */
const CONTENT = { 390: [16, 374], 820: [280, 804], 1440: [280, 1424], 1920: [468, 1716] } as const;
/** Letters in a line of text, at most. */
const MOST_LETTERS = 80;
const SERVER_PAGES = [
  'players',
  'properties',
  'files',
  'worlds',
  'backups',
  'schedules',
  'charts',
  'crashes',
  'tunnel',
  'settings',
].map((tab) => `/servers/running/${tab}`);
const HOST_PAGES = ['users', 'tokens', 'games', 'java', 'storage', 'remote', 'link', 'audit', 'account', 'about'].map(
  (page) => `/host/${page}`,
);
/** Where what is inside of the frames of a page begins and ends: of the page, or of a server's header and tab. */
const EDGES = `[...document.querySelectorAll('#content .page-width')].map((frame) => {
  const { left, right } = frame.getBoundingClientRect();
  const { paddingLeft, paddingRight } = getComputedStyle(frame);
  return [left + parseFloat(paddingLeft), right - parseFloat(paddingRight)].map(Math.round);
})`;
/** The texts whose lines have more letters than MOST_LETTERS. */
const LONG_LINES = `[...document.querySelectorAll('#content :is(p, [class*="-description"], .mantine-Alert-message)')]
  .map((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
    return { text: element.textContent, letters: element.textContent.length / Math.max(lines.size, 1) };
  })
  .filter(({ letters }) => letters > ${MOST_LETTERS})
  .map(({ text }) => text)`;
/** The texts of what is wider than shown. */
const CUT_IN_HEADER = `[...document.querySelectorAll('.server-header :not(.editable-icon)')]
  .filter(({ clientWidth, scrollWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
  .map(({ textContent }) => textContent)`;
/** Of a page, or of a server's tab. */
const FRAME = '#content > .page-width, [role=tabpanel] .page-width';

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

  await t.test('all pages have one width and one left edge, and lines that are easy to read', async (t) => {
    for (const path of ['/', '/new', ...SERVER_PAGES, ...HOST_PAGES]) {
      await open(window, path);
      for (const width of WINDOWS) {
        await page.setViewportSize({ width, height: 900 });
        await until(`${path} fits into ${width} pixels`, async () => !(await scrollsSideways(page)));
        const [from, to] = CONTENT[width];
        // The navigation slides in and out.
        await until(`${path} is between ${from} and ${to}`, async () =>
          (await page.evaluate<number[][]>(EDGES)).every(([left, right]) => left === from && right === to),
        );
        t.same(await page.evaluate(LONG_LINES), [], `${path}, ${width} pixels wide`);
      }
    }
  });

  await t.test('a scrollbar moves nothing', async (t) => {
    const withBars = await startBrowser(t, { ignoreDefaultArgs: ['--hide-scrollbars'] });
    if (!withBars) return;
    const window = await openWindow(withBars, gamekeeper, { screen: 'desktop', scheme: 'dark' });
    const { page } = window;
    await page.setViewportSize({ width: 1920, height: 900 });
    await signInAs(window, gamekeeper);
    const lefts = new Set<number>();
    const bars = new Set<number>();
    for (const path of ['/servers/running/settings', '/servers/running/crashes']) {
      await open(window, path);
      for (const [left = 0] of await page.evaluate<number[][]>(EDGES)) lefts.add(left);
      bars.add(await page.evaluate<number>('innerWidth - document.documentElement.clientWidth'));
    }
    t.equal(bars.size, 2, 'one page has a scrollbar');
    t.same([...lefts], [CONTENT[1920][0]]);
  });
});

async function open({ page, visit }: PanelWindow, path: string): Promise<void> {
  await visit(path);
  await page.locator(FRAME).waitFor();
  await hasLoaded(page);
}
