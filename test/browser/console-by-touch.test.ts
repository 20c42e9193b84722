import type { Page } from 'playwright-core';
import t from 'tap';
import { openWindow, type PanelWindow, scrollsSideways, signInAs, startBrowser } from '../support/browser/browser.ts';
import { swipe } from '../support/browser/swipe.ts';
import { until } from '../support/machine/until.ts';
import { startWithDemo } from '../support/processes/running-demo.ts';

const LINES = 2_000;
/** Length of a swipe in pixels; it fits into the console on a phone. */
const FAR = 200;
/** A flick scrolls at least this many times farther than the finger moves. */
const FLICKED = 1.5;
/** Wide enough that no line wraps. */
const TABLET = { width: 1_024, height: 800 };
/** Too low for the whole console. */
const LOW = { width: 390, height: 360 };

t.test('a finger scrolls the console', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startWithDemo(t);
  await gamekeeper.api('POST', '/instances/demo/commands', { command: `demo flood ${LINES}` });
  const openConsole = async (reducedMotion: 'reduce' | 'no-preference'): Promise<PanelWindow> => {
    const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' }, { reducedMotion });
    await signInAs(window, gamekeeper);
    await window.visit('/servers/demo/console');
    await window.page.locator('.xterm-rows').getByText('Flooded the console').waitFor();
    return window;
  };
  const { page, complaints } = await openConsole('reduce');
  const screen = page.locator('.xterm-screen');
  const live = page.getByRole('button', { name: 'Jump to live' });

  await t.test('down to older lines, up to newer ones, and back to the live end', async (t) => {
    t.equal(await live.count(), 0);
    await swipe(screen, { distance: FAR });
    await live.waitFor();
    const seen = await firstLine(page);
    await swipe(screen, { distance: FAR });
    const before = await until('older lines are shown', async () => {
      const line = await firstLine(page);
      return line < seen && line;
    });
    await swipe(screen, { distance: -FAR / 2 });
    await until('newer lines are shown', async () => (await firstLine(page)) > before);
    await live.tap();
    await live.waitFor({ state: 'detached' });
  });

  await t.test('the list of commands does not cover the newest line', async (t) => {
    await page.getByLabel('Command', { exact: true }).fill('s');
    const list = page.getByRole('listbox', { name: 'Suggestions' });
    await list.waitFor();
    const newest = page.locator('.xterm-rows').getByText('Flooded the console');
    const endOf = async () => {
      const { y, height } = (await newest.boundingBox())!;
      return y + height;
    };
    const { y: top, height } = (await list.boundingBox())!;
    t.ok(height > 100, 'some commands are shown');
    t.ok((await endOf()) <= top, `${await endOf()} is above ${top}`);
    t.notOk(await scrollsSideways(page), 'it fits on a phone');
    await list.getByRole('option', { name: /^say/ }).tap();
    await list.waitFor({ state: 'detached' });
    t.ok((await endOf()) > top, 'the console is where it was');
    await page.getByLabel('Command', { exact: true }).fill('');
  });

  await t.test('the search has space for all its buttons, and ends', async (t) => {
    await page.getByRole('button', { name: 'Search (Ctrl+F)' }).tap();
    await page.getByLabel('Search the console').fill('Flooded the console');
    await page.getByRole('button', { name: 'Previous match', exact: true }).tap();
    t.notOk(await scrollsSideways(page), 'it fits on a phone');
    await page.getByRole('button', { name: 'Close search' }).tap();
    await page.getByRole('button', { name: 'Share log lines' }).waitFor();
  });

  await t.test('with reduced motion, a flick stops when the finger lifts', async (t) => {
    await page.setViewportSize(TABLET);
    const before = await until('no line wraps', () => firstLineOfRows(page));
    await swipe(screen, { distance: FAR, speed: 'flick' });
    await live.waitFor();
    const rows = before - (await firstLine(page));
    t.ok(rows <= FLICKED * (FAR / (await rowHeight(page))), `${rows} rows for ${FAR} pixels`);
    await live.tap();
  });

  await t.test('at the end of the console a swipe scrolls the page, and two fingers still zoom', async (t) => {
    await page.setViewportSize(LOW);
    await swipe(screen, { distance: -FAR });
    await until('the page has scrolled', () => page.evaluate<boolean>('scrollY > 0'));
    t.equal(
      await page.evaluate(`getComputedStyle(document.querySelector('.console-terminal')).touchAction`),
      'pinch-zoom',
    );
  });

  await t.test('without reduced motion, a flick keeps scrolling', async () => {
    const { page } = await openConsole('no-preference');
    await page.setViewportSize(TABLET);
    const before = await until('no line wraps', () => firstLineOfRows(page));
    await swipe(page.locator('.xterm-screen'), { distance: FAR, speed: 'flick' });
    const followed = FAR / (await rowHeight(page));
    await until(
      'it scrolled farther than the finger',
      async () => before - (await firstLine(page)) > FLICKED * followed,
    );
    await page.context().close();
  });

  t.same(complaints, [], 'no errors in the browser console');
});

/** Number of the first visible line of the flood. */
async function firstLine(page: Page): Promise<number> {
  const shown = await page.locator('.xterm-rows').innerText();
  return Number(/line (\d+)/.exec(shown)?.[1]);
}

/** The same, or `undefined` while lines wrap. */
async function firstLineOfRows(page: Page): Promise<number | undefined> {
  const rows = await page.locator('.xterm-rows > div').allInnerTexts();
  const numbers = rows.map((row) => Number(/line (\d+)/.exec(row)?.[1]));
  const first = numbers[0];
  return first !== undefined && numbers[1] === first + 1 ? first : undefined;
}

function rowHeight(page: Page): Promise<number> {
  return page.evaluate<number>("document.querySelector('.xterm-rows > div').getBoundingClientRect().height");
}
