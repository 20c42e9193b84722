import type { Locator } from 'playwright-core';
import t from 'tap';
import { accessibilityFaults, hasFocus, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { barColour, themeColour } from '../support/browser/colours.ts';
import { focusFaults } from '../support/browser/focus-faults.ts';
import { selected } from '../support/browser/terminal-selection.ts';
import { until } from '../support/machine/until.ts';
import { startWithDemo } from '../support/processes/running-demo.ts';

/** More than fits into a window. */
const LINES = 300;
/** The live region keeps at most this many lines. */
const MAX_ANNOUNCED = 50;

/** From the top of the page to the command line. */
const MOST_STOPS = 10;

t.test('the console works with a keyboard and a screen reader', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startWithDemo(t);
  const command = (text: string) => gamekeeper.api('POST', '/instances/demo/commands', { command: text });
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  const { page, visit, complaints } = window;
  const rows = page.locator('.xterm-rows');
  const terminal = page.locator('.xterm-helper-textarea');
  const live = page.getByRole('button', { name: 'Jump to live' });
  const announced = page.getByRole('log', { name: 'Latest output' });
  await signInAs(window, gamekeeper);
  await visit('/servers/demo/console');
  await rows.getByText('Done (').first().waitFor();

  await t.test('the check itself finds a keyboard trap', async (t) => {
    const trap = await page.context().newPage();
    await trap.setContent(`<button>Before</button><textarea></textarea><button>Behind</button>`);
    await trap.evaluate(`document.querySelector('textarea').onkeydown = (event) => event.preventDefault()`);
    t.match(await focusFaults(trap), [/keeps the focus/]);
    await trap.close();
  });

  await t.test('Tab leads into the terminal and out of it, both ways, with a visible focus', async (t) => {
    t.same(await focusFaults(page), []);
    await terminal.focus();
    await page.keyboard.press('Tab');
    await hasFocus(page.getByLabel('Command', { exact: true }));
    await page.keyboard.press('Shift+Tab');
    await hasFocus(terminal);
    await page.keyboard.press('Shift+Tab');
    await hasFocus(page.getByRole('toolbar', { name: 'Console tools' }).locator(':focus'));
  });

  await t.test('from the top of the page it takes few stops to the command line', async (t) => {
    const commandLine = page.getByLabel('Command', { exact: true });
    await page.reload();
    await rows.getByText('Done (').first().waitFor();
    await page.getByText('Up for').or(page.getByText('Just started')).waitFor();
    await page.keyboard.press('Tab');
    await hasFocus(page.getByRole('link', { name: 'Skip to command line' }));
    await page.keyboard.press('Enter');
    await hasFocus(commandLine);

    await page.reload();
    await rows.getByText('Done (').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await hasFocus(page.getByRole('link', { name: 'Skip to content' }));
    await page.keyboard.press('Enter');
    let stops = 2;
    for (; stops < MOST_STOPS && !(await isFocused(commandLine)); stops++) await page.keyboard.press('Tab');
    t.ok(await isFocused(commandLine), `${stops} stops`);
  });

  await t.test('the arrow keys move between the buttons of a toolbar', async () => {
    const tools = page.getByRole('toolbar', { name: 'Console tools' });
    const search = tools.getByRole('button', { name: /^Search/ });
    await search.focus();
    await page.keyboard.press('End');
    await hasFocus(tools.getByRole('button', { name: /^Download/ }));
    await page.keyboard.press('ArrowRight');
    await hasFocus(search);
    await page.keyboard.press('ArrowRight');
    await hasFocus(tools.getByRole('button', { name: /^Previous warning/ }));
    const actions = page.getByRole('toolbar', { name: 'Start, stop and restart' });
    await actions.getByRole('button', { name: 'Stop', exact: true }).focus();
    await page.keyboard.press('ArrowLeft');
    await hasFocus(actions.getByRole('button', { name: 'More actions' }));
    await page.keyboard.press('Enter');
    const kill = page.getByRole('menuitem', { name: 'Kill' });
    await kill.waitFor();
    await kill.focus();
    await page.keyboard.press('ArrowRight');
    await hasFocus(kill);
    await page.keyboard.press('Escape');
    await kill.waitFor({ state: 'detached' });
  });

  await t.test('the newest lines are announced, each once and never too many', async (t) => {
    await command('say Hear this');
    await announced.getByText('Hear this').waitFor();
    t.same(await accessibilityFaults(page, ['dark']), [], 'axe finds nothing');
    await command(`demo flood ${LINES}`);
    await announced.getByText('Flooded the console').waitFor();
    await announced
      .getByText(/^\d+ lines skipped/)
      .first()
      .waitFor();
    t.ok((await announced.locator('> div').count()) <= MAX_ANNOUNCED);
    await page.evaluate(COUNT_NEW_LINES);
    await page.getByRole('button', { name: 'Load full log', exact: true }).click();
    await command('say Hear that');
    await announced.getByText('Hear that').waitFor();
    t.ok((await page.evaluate<number>('window.announced_')) < 5, 'nothing is announced twice');
  });

  await t.test('the usual keys scroll the terminal', async () => {
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

  await t.test('commands are chosen from a list that describes them', async (t) => {
    const field = page.getByRole('combobox', { name: 'Command' });
    const list = page.getByRole('listbox', { name: 'Suggestions' });
    const options = list.getByRole('option');
    await field.pressSequentially('sa');
    t.match(await options.allInnerTexts(), [/^save-all\s+Saves the world$/, /^save-off/, /^save-on/, /^say/]);
    t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
    await field.press('ArrowUp');
    await list.getByRole('option', { name: /^say/, selected: true }).waitFor();
    await field.press('ArrowDown');
    const active = list.getByRole('option', { name: /^save-all/, selected: true });
    await active.waitFor();
    t.equal(await field.getAttribute('aria-activedescendant'), await active.getAttribute('id'));
    await field.press('Enter');
    t.equal(await field.inputValue(), 'save-all ', 'it is not sent yet');
    await list.waitFor({ state: 'detached' });

    await field.fill('sa');
    await list.getByRole('option', { name: /^say/ }).click();
    await hasFocus(field);
    t.equal(await field.inputValue(), 'say ');
    await field.fill('/sav');
    await field.press('Tab');
    t.equal(await field.inputValue(), '/save-', 'what all of them have in common');
    await field.press('Tab');
    t.equal(await field.inputValue(), '/save-all ');

    await field.fill('say from the list');
    await field.press('Enter');
    await rows.getByText('from the list').first().waitFor();
    await field.pressSequentially('s');
    await list.waitFor();
    await field.press('Escape');
    await list.waitFor({ state: 'detached' });
    await field.press('ArrowUp');
    t.equal(await field.inputValue(), 'say from the list', 'without the list, arrows go through the history');
    await field.fill('');
  });

  await t.test('what follows a command is suggested: players, who is online first, and described words', async (t) => {
    const field = page.getByRole('combobox', { name: 'Command' });
    const list = page.getByRole('listbox', { name: 'Suggestions' });
    const options = list.getByRole('option');
    for (const each of ['join Anna', 'join Ben', 'leave Ben', 'join Zoe']) await command(`demo ${each}`);
    await field.pressSequentially('op ');
    await until('who is offline is the last', async () => (await options.allInnerTexts())[2] === 'Ben');
    t.same((await options.allInnerTexts()).slice(0, 2).sort(), ['Anna', 'Zoe']);
    await field.press('ArrowUp');
    await field.press('Enter');
    t.equal(await field.inputValue(), 'op Ben ');
    await list.waitFor({ state: 'detached' });
    await field.press('Enter');
    await announced.getByText('Made Ben a server operator').first().waitFor();

    await field.pressSequentially('whi');
    await field.press('Tab');
    const words = await options.allInnerTexts();
    t.match(words, [/^on\s+Only players/, /^off/, /^add\s+Adds a player$/, /^remove/, /^list/, /^reload/]);
    t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
    await field.pressSequentially('ad');
    await field.press('Tab');
    await field.pressSequentially('z');
    await field.press('Tab');
    t.equal(await field.inputValue(), 'whitelist add Zoe ');
    await field.press('Enter');
    await announced.getByText('Added Zoe to the whitelist').first().waitFor();
    await field.pressSequentially('difficulty ');
    await list.getByRole('option', { name: /^hard/ }).click();
    t.equal(await field.inputValue(), 'difficulty hard ');
    await field.fill('difficulty ');
    await field.press('Escape');
    await list.waitFor({ state: 'detached' });
    await field.fill('');
  });

  await t.test('F8 goes to the previous error, Shift+F8 to the next, even if all are visible', async (t) => {
    for (const name of ['first', 'second', 'third']) await command(`demo error The ${name}`);
    await rows.getByText('The third').waitFor();
    const jumps: [key: string, name: string][] = [
      ['F8', 'third'],
      ['F8', 'second'],
      ['F8', 'first'],
      ['Shift+F8', 'second'],
      ['Shift+F8', 'third'],
    ];
    for (const [key, name] of jumps) {
      await page.keyboard.press(key);
      await until(`the ${name} is selected`, async () => (await selected(page)).includes(`The ${name}`));
    }
    await page.keyboard.press('Shift+F8');
    const message = page.getByRole('alert').filter({ hasText: 'No more warnings or errors in this direction' });
    t.equal(await barColour(message), await themeColour(page, 'lapis-filled'), 'that is no success');

    await command(`demo flood ${LINES}`);
    await rows.getByText('The third').waitFor({ state: 'detached' });
    await rows.getByText('Flooded the console').waitFor();
    await page.keyboard.press('F8');
    await until('it continues from the last error', async () => (await selected(page)).includes('The second'));
    await live.click();
    await page.keyboard.press('F8');
    await until('it starts from the end', async () => (await selected(page)).includes('The third'));
    t.ok(await live.isVisible());
  });

  await t.test('a search starts at the newest match, which is the brightest', async (t) => {
    for (const name of ['oldest', 'middle', 'newest']) await command(`say pumpkin the ${name}`);
    await announced.getByText('pumpkin the newest').waitFor();
    await page.keyboard.press('Control+f');
    const search = page.getByLabel('Search the console');
    await search.pressSequentially('pumpkin the');
    await page.getByText(/^(\d+) of \1$/).waitFor();
    const line = (name: string) =>
      rows
        .locator('> div')
        .filter({ hasText: `pumpkin the ${name}` })
        .last();
    const brightness = (name: string): Promise<number> => line(name).evaluate(BRIGHTEST);
    const describe = async () => ({
      focus: await page.locator(':focus').getAttribute('aria-label'),
      count: await page.getByText(/^\d+ of \d+$/).allTextContents(),
      selected: await selected(page),
      rows: await Promise.all(['oldest', 'middle', 'newest'].map((name) => line(name).innerHTML())),
    });
    const isBrighter = async () => (await brightness('newest')) > (await brightness('oldest')) + 100;
    await until('the newest one is selected', isBrighter, { describe });
    await search.press('Enter');
    await until('Enter goes to an older one', async () => (await brightness('middle')) > (await brightness('newest')), {
      describe,
    });
    const height = await rows.locator('> div').count();
    await page.setViewportSize({ width: 1280, height: 600 });
    await until('there are fewer rows', async () => (await rows.locator('> div').count()) < height);
    await until('a match is selected', async () => (await selected(page)) === 'pumpkin the', { describe });
    t.same(await page.getByText(/^\d of 3$/).allTextContents(), ['2 of 3'], 'it is still the same');
    await search.press('Shift+Enter');
    await page.getByText('3 of 3', { exact: true }).waitFor();
    await search.press('Escape');
  });

  await t.test('of a server that is stopped, nothing leads to the command line', async () => {
    await gamekeeper.api('POST', '/instances/demo/stop');
    await page.getByPlaceholder('The server is not running').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await hasFocus(page.getByRole('link', { name: 'Skip to content' }));
    await gamekeeper.api('POST', '/instances/demo/start');
    await gamekeeper.waitForStatus('demo', 'running');
    await page.getByRole('link', { name: 'Skip to command line' }).waitFor({ state: 'attached' });
  });

  t.same(complaints, [], 'no errors in the browser console');
});

function isFocused(element: Locator): Promise<boolean> {
  return element.and(element.page().locator(':focus')).isVisible();
}

const COUNT_NEW_LINES = `(() => {
  window.announced_ = 0;
  const count = (changes) => { for (const { addedNodes } of changes) window.announced_ += addedNodes.length; };
  new MutationObserver(count).observe(document.querySelector('[role=log]'), { childList: true });
})()`;

/** Returns the brightest background in a row: a match has one element per character. Playwright calls it with the row. */
const BRIGHTEST = new Function(
  'row',
  `return Math.max(...[...row.querySelectorAll('span')].map((cell) => {
    const [red, green, blue] = getComputedStyle(cell).backgroundColor.match(/[0-9.]+/g).map(Number);
    return red + green + blue;
  }))`,
) as (row: unknown) => number;
