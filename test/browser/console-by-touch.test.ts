import type { Page } from 'playwright-core';
import t from 'tap';
import { openWindow, type PanelWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { swipe } from '../support/browser/swipe.ts';
import { until } from '../support/machine/until.ts';
import { startWithDemo } from '../support/processes/running-demo.ts';

const LINES = 2_000;
/** Of a finger, within what a phone shows of a console. Pixels. */
const FAR = 200;
/** What goes on by itself goes farther than the finger by this factor, at least. */
const FLICKED = 1.5;
/** Wide enough that a line is a row. */
const TABLET = { width: 1_024, height: 800 };
/** The console does not fit into this window. */
const LOW = { width: 390, height: 360 };

t.test('a console is scrolled with a finger', async (t) => {
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

  await t.test('it shows what came before, and goes back to what is live', async (t) => {
    t.equal(await live.count(), 0);
    await swipe(screen, { distance: FAR });
    await live.waitFor();
    const seen = await firstLine(page);
    await swipe(screen, { distance: FAR });
    const before = await until('older lines are there', async () => {
      const line = await firstLine(page);
      return line < seen && line;
    });
    await swipe(screen, { distance: -FAR / 2 });
    await until('newer lines are there', async () => (await firstLine(page)) > before);
    await live.tap();
    await live.waitFor({ state: 'detached' });
  });

  await t.test('a flick ends with the finger for who wants no motion', async (t) => {
    await page.setViewportSize(TABLET);
    const before = await until('a line is a row', () => firstLineOfRows(page));
    await swipe(screen, { distance: FAR, speed: 'flick' });
    await live.waitFor();
    const rows = before - (await firstLine(page));
    t.ok(rows <= FLICKED * (FAR / (await rowHeight(page))), `${rows} rows for ${FAR} pixels`);
    await live.tap();
  });

  await t.test('where the console ends, the page goes on, and two fingers enlarge it', async (t) => {
    await page.setViewportSize(LOW);
    await swipe(screen, { distance: -FAR });
    await until('the page is scrolled', () => page.evaluate<boolean>('scrollY > 0'));
    t.equal(
      await page.evaluate(`getComputedStyle(document.querySelector('.console-terminal')).touchAction`),
      'pinch-zoom',
    );
  });

  await t.test('a flick goes on by itself for everybody else', async () => {
    const { page } = await openConsole('no-preference');
    await page.setViewportSize(TABLET);
    const before = await until('a line is a row', () => firstLineOfRows(page));
    await swipe(page.locator('.xterm-screen'), { distance: FAR, speed: 'flick' });
    const followed = FAR / (await rowHeight(page));
    await until('it went on', async () => before - (await firstLine(page)) > FLICKED * followed);
    await page.context().close();
  });

  t.same(complaints, [], 'nothing in the console');
});

/** Number of the first line of the flood that is seen. */
async function firstLine(page: Page): Promise<number> {
  const shown = await page.locator('.xterm-rows').innerText();
  return Number(/line (\d+)/.exec(shown)?.[1]);
}

/** The same, once no line is wrapped any more. */
async function firstLineOfRows(page: Page): Promise<number | undefined> {
  const rows = await page.locator('.xterm-rows > div').allInnerTexts();
  const numbers = rows.map((row) => Number(/line (\d+)/.exec(row)?.[1]));
  const first = numbers[0];
  return first !== undefined && numbers[1] === first + 1 ? first : undefined;
}

function rowHeight(page: Page): Promise<number> {
  return page.evaluate<number>("document.querySelector('.xterm-rows > div').getBoundingClientRect().height");
}
