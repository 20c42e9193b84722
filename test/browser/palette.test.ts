import type { Page } from 'playwright-core';
import t from 'tap';
import { hasFocus, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** Presses Ctrl+K as soon as the page shows its navigation. */
const PRESS_FIRST = `new MutationObserver((_, observer) => {
  if (!document.querySelector('nav')) return;
  observer.disconnect();
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));
}).observe(document, { childList: true, subtree: true });`;
const VERA = { username: 'vera', password: 'something nobody else knows' };

t.test('the command palette finds tabs and actions of every server by their words', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Survival', port: await freePort() });
  for (const id of ['creative', 'creative-2'])
    await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Creative', id });
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  const { page, complaints } = window;
  await signInAs(window, gamekeeper);
  await page.getByRole('article', { name: 'Survival' }).waitFor();
  const card = page.getByRole('article', { name: 'Survival' });

  t.same(await found(page, 'backups surv'), ['Survival: Backups'], 'words in any order');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Survival' }).waitFor();
  await page.getByRole('tab', { name: 'Backups', selected: true }).waitFor();

  t.same(await found(page, 'back up survival'), ['Back up Survival', 'Survival: Backups']);
  await page.keyboard.press('Enter');
  await page.getByRole('listitem').filter({ hasText: 'Manual' }).waitFor();

  t.same(await found(page, 'backup survival'), ['Back up Survival', 'Survival: Backups'], 'an action before a tab');
  t.same(await found(page, 'survival backup'), ['Survival: Backups', 'Back up Survival']);

  t.same(await found(page, 'creative settings'), ['Creative (creative): Settings', 'Creative (creative-2): Settings']);
  await page.keyboard.press('Escape');
  await window.follow('/');

  t.same(await found(page, 'launch survival'), ['Start Survival']);
  t.same(await found(page, 'start survival'), ['Start Survival']);
  await page.keyboard.press('Enter');
  await card.getByText('Running').waitFor();
  await gamekeeper.api('POST', '/instances/survival/commands', { command: 'demo join Steve' });
  await card.getByText('Players 1').waitFor();
  t.same(await found(page, 'reboot survival'), ['Restart Survival']);
  for (const action of ['Restart', 'Stop']) {
    t.same(await found(page, `survival ${action}`), [`${action} Survival`]);
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: `${action} Survival?` });
    await question.getByText('1 player is online and will be disconnected.').waitFor();
    await question.getByRole('button', { name: action === 'Stop' ? 'Stop' : 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
  }
  await card.getByText('Stopped').waitFor();

  await t.test('even if its keys are pressed before it is rendered', async (t) => {
    const hasty = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
    await signInAs(hasty, gamekeeper);
    await hasty.page.addInitScript(PRESS_FIRST);
    await hasty.visit('/');
    await hasFocus(hasty.page.getByPlaceholder('Go to…'));
    t.same(hasty.complaints, []);
    await hasty.page.context().close();
  });

  await t.test('and leads to new users and schedules, which have addresses', async (t) => {
    const dialog = page.getByRole('dialog');
    for (const [query, action, title] of [
      ['survival new schedule', 'Add a schedule to Survival', 'Add schedule'],
      ['add user', 'New user', 'Add user'],
    ] as const) {
      t.same(await found(page, query), [action]);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: title }).waitFor();
      await page.reload();
      await page.getByRole('dialog', { name: title }).getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
      t.notMatch(page.url(), /[?]/);
    }
    await page.getByRole('button', { name: 'Add user' }).click();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Users' }).waitFor();
  });

  await t.test('and the players whom a page has shown', async (t) => {
    t.same(await found(page, 'steve'), []);
    await page.keyboard.press('Escape');
    await window.follow('/servers/survival/players');
    await page.getByRole('row', { name: /^Steve/ }).waitFor();
    await window.follow('/');
    await card.waitFor();
    t.same(await found(page, 'steve survival'), ['Steve on Survival']);
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog')
      .getByRole('row', { name: /^Last seen/ })
      .waitFor();
    t.match(page.url(), /\/servers\/survival\/players\?player=Steve$/);
  });
  t.same(complaints, []);

  await t.test('and nothing that the user may not do', async (t) => {
    const cookie = await gamekeeper.login();
    const origin = gamekeeper.addresses().panel;
    const grants = ['survival', { id: 'creative', role: 'operator' }];
    await gamekeeper.api('POST', '/api/users', { ...VERA, role: 'viewer', instances: grants }, { cookie, origin });
    await gamekeeper.api('PATCH', '/api/users/vera', { mustChangePassword: false }, { cookie, origin });
    const theirs = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'light' });
    await signInAs(theirs, VERA);
    await theirs.page.getByRole('article', { name: 'Survival' }).waitFor();
    for (const query of ['survival start', 'survival back', 'survival settings', 'creative-2'])
      t.same(await found(theirs.page, query), [], query);
    t.same(await found(theirs.page, 'creative back'), ['Creative: Backups', 'Back up Creative']);
  });
});

/** Opens the palette, types `query`, and resolves to the labels of what it shows. The first one is chosen by Enter. */
async function found(page: Page, query: string): Promise<string[]> {
  const search = page.getByPlaceholder('Go to…');
  if (!(await search.isVisible())) await page.keyboard.press('Control+k');
  await hasFocus(search);
  await search.fill(query);
  await until('the query was searched for', async () => (await search.inputValue()) === query);
  return page.locator('[data-action] .mantine-Spotlight-actionLabel').allInnerTexts();
}
