import type { Page } from 'playwright-core';
import t from 'tap';
import { accessibilityFaults, hasFocus, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { focusFaults } from '../support/browser/focus-faults.ts';
import { until } from '../support/machine/until.ts';
import { startWithDemo } from '../support/processes/running-demo.ts';

/** More than a window shows. */
const LINES = 300;
/** Most that who listens can be told at a time. */
const MOST_HEARD = 50;

t.test('a console without a mouse and without eyes', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startWithDemo(t);
  const command = (text: string) => gamekeeper.api('POST', '/instances/demo/commands', { command: text });
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  const { page, visit, complaints } = window;
  const rows = page.locator('.xterm-rows');
  const terminal = page.locator('.xterm-helper-textarea');
  const live = page.getByRole('button', { name: 'Jump to live' });
  const heard = page.getByRole('log', { name: 'Latest output' });
  await signInAs(window, gamekeeper);
  await visit('/servers/demo/console');
  await rows.getByText('Done (').first().waitFor();

  await t.test('a trap is found', async (t) => {
    const trap = await page.context().newPage();
    await trap.setContent(`<button>Before</button><textarea></textarea><button>Behind</button>`);
    await trap.evaluate(`document.querySelector('textarea').onkeydown = (event) => event.preventDefault()`);
    t.match(await focusFaults(trap), [/keeps the focus/]);
    await trap.close();
  });

  await t.test('Tab leads into the terminal and out of it, both ways, and one sees where it is', async (t) => {
    t.same(await focusFaults(page), []);
    await terminal.focus();
    await page.keyboard.press('Tab');
    await hasFocus(page.getByLabel('Command', { exact: true }));
    await page.keyboard.press('Shift+Tab');
    await hasFocus(terminal);
    await page.keyboard.press('Shift+Tab');
    await hasFocus(page.getByRole('button', { name: /^Download/ }));
  });

  await t.test('who listens hears the newest lines, and never too many', async (t) => {
    await command('say Hear this');
    await heard.getByText('Hear this').waitFor();
    t.same(await accessibilityFaults(page, ['dark']), [], 'axe finds nothing');
    await command(`demo flood ${LINES}`);
    await heard.getByText('Flooded the console').waitFor();
    await heard
      .getByText(/^\d+ lines skipped/)
      .first()
      .waitFor();
    t.ok((await heard.locator('> div').count()) <= MOST_HEARD);
    await page.evaluate(COUNT_NEW_LINES);
    await page.getByRole('button', { name: 'Load full log', exact: true }).click();
    await command('say Hear that');
    await heard.getByText('Hear that').waitFor();
    t.ok((await page.evaluate<number>('window.heard_')) < 5, 'nothing is told twice');
  });

  await t.test('the keys that scroll everywhere scroll it', async () => {
    await terminal.focus();
    await page.keyboard.press('PageUp');
    await live.waitFor();
    await page.keyboard.press('End');
    await live.waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowUp');
    await live.waitFor();
    await page.keyboard.press('ArrowDown');
    await live.waitFor({ state: 'detached' });
    await page.keyboard.press('Home');
    await rows.getByText('Done (').waitFor();
    await live.click();
  });

  await t.test('F8 goes from error to error, Shift+F8 back, also where all of them are in sight', async (t) => {
    for (const name of ['first', 'second', 'third']) await command(`say ERROR the ${name}`);
    await rows.getByText('ERROR the third').waitFor();
    const jumps: [key: string, name: string][] = [
      ['F8', 'third'],
      ['F8', 'second'],
      ['F8', 'first'],
      ['Shift+F8', 'second'],
      ['Shift+F8', 'third'],
    ];
    for (const [key, name] of jumps) {
      await page.keyboard.press(key);
      await until(`the ${name} is selected`, async () => (await selected(page)).includes(`ERROR the ${name}`));
    }
    await page.keyboard.press('Shift+F8');
    await page.getByText('No more warnings or errors in this direction').waitFor();

    await command(`demo flood ${LINES}`);
    await rows.getByText('Flooded the console').waitFor();
    await page.keyboard.press('F8');
    await until('it goes on from where it was', async () => (await selected(page)).includes('ERROR the second'));
    await live.click();
    await page.keyboard.press('F8');
    await until('it begins anew', async () => (await selected(page)).includes('ERROR the third'));
    t.ok(await live.isVisible());
  });

  t.same(complaints, [], 'nothing in the console');
});

/** What is selected in the terminal: what Ctrl+C would copy. */
function selected(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const data = new DataTransfer();
    const event = new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelector('.xterm').dispatchEvent(event);
    return data.getData('text/plain');
  })()`);
}

const COUNT_NEW_LINES = `(() => {
  window.heard_ = 0;
  const count = (changes) => { for (const { addedNodes } of changes) window.heard_ += addedNodes.length; };
  new MutationObserver(count).observe(document.querySelector('[role=log]'), { childList: true });
})()`;
