import type { Browser, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import {
  chooseInPalette,
  field,
  hasFocus,
  openWindow,
  type PanelWindow,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { barColour, themeColour } from '../support/browser/colours.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

/** A viewer who is an operator of one server. */
const OTTO = { username: 'otto', password: 'a word of my own' };

interface Context {
  browser: Browser;
  gamekeeper: Gamekeeper;
  page: Page;
  visit: PanelWindow['visit'];
}

t.test('everyday use of the panel', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const create = (name: string, more: object = {}) =>
    gamekeeper.api('POST', '/instances', { software: 'demo', name, ...more });
  await create('Demo');
  await create('Other');
  await gamekeeper.api('POST', '/instances', { software: 'paper', name: 'Plugins', version: '1.21.4' });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  const { page, visit, complaints } = window;
  await signInAs(window, gamekeeper);

  const context = { browser, gamekeeper, page, visit };

  await t.test('the shortcuts work in the command line and in the terminal', () => shortcutsWork(context));

  await t.test('the palette leads to the tabs of the open server', () => paletteLeadsToTabs(context));

  await t.test('a server without the current tab opens on its console', () => serverWithoutTheTab(context));

  await t.test('the focus returns from a dialog, even if a menu item opened it', () => focusReturns(context));

  await t.test('unsaved input survives the palette, Back and a click beside a dialog', (t) =>
    unsavedInputSurvives(t, context),
  );

  await t.test('two users who change different settings do not overwrite each other', (t) =>
    changesOfTwoUsers(t, context),
  );

  await t.test('copying works without the clipboard API', (t) => copyingWithoutClipboard(t, context));

  t.same(complaints, [], 'no errors in the browser console');
  await page.context().close();

  await t.test('a viewer who is an operator of one server has the buttons of that one only', (t) =>
    viewerWhoIsAnOperator(t, context),
  );
});

async function shortcutsWork({ page, visit }: Context): Promise<void> {
  await visit('/servers/demo/console');
  await page.locator('.console-terminal[data-state=open]').waitFor();
  const palette = page.getByPlaceholder('Go to…');
  for (const place of [page.getByLabel('Command', { exact: true }), page.locator('.xterm-screen')]) {
    await place.click();
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await place.click();
    await page.keyboard.press('Control+f');
    await page.getByLabel('Search the console').waitFor();
    await page.keyboard.press('Escape');
  }
}

async function paletteLeadsToTabs({ page }: Context): Promise<void> {
  await chooseInPalette(page, 'Demo: Backups');
  await page.getByRole('tab', { name: 'Backups', selected: true }).waitFor();
}

async function serverWithoutTheTab({ page, visit }: Context): Promise<void> {
  await visit('/servers/plugins/mods');
  await page.getByRole('tab', { name: 'Mods', selected: true }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: /Other/ }).click();
  await page.getByRole('heading', { name: 'Other' }).waitFor();
  await page.getByRole('tab', { name: 'Console', selected: true }).waitFor();
}

async function focusReturns({ page, visit }: Context): Promise<void> {
  await visit('/servers/demo/console');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Kill' }).click();
  await hasFocus(page.getByLabel('Type Demo to confirm'));
  await page.keyboard.press('Escape');
  await hasFocus(page.getByRole('button', { name: 'More actions' }));
  await visit('/servers/demo/schedules');
  await page.getByRole('button', { name: 'Add schedule' }).click();
  await hasFocus(field(page, 'Name'));
  await page.keyboard.press('Escape');
  await hasFocus(page.getByRole('button', { name: 'Add schedule' }));
}

async function unsavedInputSurvives(t: Test, { page, visit }: Context): Promise<void> {
  await visit('/servers/demo/console');
  await page.getByRole('tab', { name: 'Settings' }).click();
  await field(page, 'Name').fill('Demo of mine');
  const asked: string[] = [];
  const dismiss = (dialog: { message(): string; dismiss(): Promise<void> }) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  };
  page.on('dialog', dismiss);
  await chooseInPalette(page, 'Tokens');
  await until('the panel asks', () => asked.length === 1);
  await page.goBack();
  await until('the panel asks again', () => asked.length === 2);
  t.equal(await field(page, 'Name').inputValue(), 'Demo of mine');
  page.off('dialog', dismiss);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('button', { name: 'Add user' }).click();
  await field(page, 'Username').fill('half a na');
  await page.mouse.click(20, 400);
  t.equal(await field(page, 'Username').inputValue(), 'half a na');
  await page.keyboard.press('Escape');
}

async function changesOfTwoUsers(t: Test, { gamekeeper, page, visit }: Context): Promise<void> {
  await visit('/servers/other/settings');
  const save = async (name: string) => {
    await field(page, 'Name').fill(name);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await until(
      'the name is saved',
      async () => (await page.getByRole('heading', { level: 1 }).textContent()) === name,
    );
  };
  await field(page, 'Name').fill('Another');
  await gamekeeper.api('PATCH', '/instances/other', { memoryMb: 3_072, stopTimeoutSeconds: 77 });
  await save('Another');
  await until(
    "the form shows the other user's change",
    async () => (await field(page, 'Memory').inputValue()) === '3 GB',
  );
  await save('Yet another');
  const { body } = await gamekeeper.api<Record<string, unknown>>('GET', '/instances/other/configuration');
  t.match(body, { name: 'Yet another', memoryMb: 3_072, stopTimeoutSeconds: 77 });
}

async function copyingWithoutClipboard(t: Test, { page, visit }: Context): Promise<void> {
  const { protocol } = new URL(page.url());
  t.equal(protocol, 'http:');
  // Pages from another machine without TLS lack the API.
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await visit('/servers/demo/console');
  await page.getByRole('button', { name: /^Copy: [\w.]+:\d+$/ }).click();
  const line = page.getByLabel('Command', { exact: true });
  await line.click();
  await page.keyboard.press('Control+v');
  t.match(await line.inputValue(), /^[\w.]+:\d+$/);
  await page.getByRole('button', { name: 'Copy displayed log' }).click();
  const message = page.getByRole('alert');
  const copied = message.filter({ hasText: 'Copied' });
  t.equal(await barColour(copied), await themeColour(page, 'moss-filled'));
  await page.evaluate('void (document.execCommand = () => false)');
  await page.getByRole('button', { name: 'Copy displayed log' }).click();
  const blocked = message.filter({ hasText: 'Your browser blocked access to the clipboard' });
  t.equal(await barColour(blocked), await themeColour(page, 'red-filled'), 'a failure does not look like a success');
}

async function viewerWhoIsAnOperator(t: Test, { browser, gamekeeper }: Context): Promise<void> {
  const cookie = await gamekeeper.login();
  const origin = gamekeeper.addresses().panel;
  const grants = ['*', { id: 'demo', role: 'operator' }];
  await gamekeeper.api('POST', '/api/users', { ...OTTO, role: 'viewer', instances: grants }, { cookie, origin });
  await gamekeeper.api('PATCH', '/api/users/otto', { mustChangePassword: false }, { cookie, origin });
  const theirs = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  await signInAs(theirs, OTTO);
  const { page } = theirs;
  await page.getByRole('article', { name: 'Demo' }).getByRole('button', { name: 'Stop' }).waitFor();
  t.equal(await page.getByRole('button', { name: 'Start' }).count(), 0, 'no button without permission');
  await theirs.visit('/servers/demo/console');
  t.ok(await page.getByLabel('Command', { exact: true }).isEnabled());

  const menu = page.getByRole('button', { name: 'Menu' });
  const tokens = page.getByRole('navigation').getByText('Tokens');
  t.equal(await tokens.count(), 0, 'no page without permission');
  await page.keyboard.press('Tab');
  for (let step = 0; step < 8; step++) {
    t.ok(await isFocusVisible(page), 'a closed drawer takes no focus');
    await page.keyboard.press('Tab');
  }
  await menu.click();
  await page.getByRole('navigation').getByRole('link', { name: /Demo/ }).waitFor();
  await page.keyboard.press('Escape');
  await until('the drawer is closed', async () => (await menu.getAttribute('aria-expanded')) === 'false');
  await hasFocus(menu);
  await page.context().close();
}

/** Whether the focused element is on the screen. */
function isFocusVisible(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    '(({ right, bottom }) => right > 0 && bottom > 0)(document.activeElement.getBoundingClientRect()) || document.activeElement.className === "skip-link"',
  );
}
