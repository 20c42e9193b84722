/** The editor of the file manager, and files for an operator: one Gamekeeper, on both widths. */
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import t, { type Test } from 'tap';
import {
  accessibilityFaults,
  hasFocus,
  openWindow,
  type PanelWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
  type View,
} from '../support/browser/browser.ts';
import { administrator } from '../support/browser/panel-user.ts';
import { type ServerWithFiles, serverWithFiles } from '../support/browser/server-with-files.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PASSWORD = 'correct horse battery staple';

interface Shown {
  panel: PanelWindow;
  server: ServerWithFiles;
  view: View;
}

t.test('a file', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  for (const view of [
    { screen: 'desktop', scheme: 'light' },
    { screen: 'phone', scheme: 'dark' },
  ] as const satisfies View[]) {
    const server = await serverWithFiles(gamekeeper, view.screen);
    const panel = await openWindow(browser, gamekeeper, view);
    await signInAs(panel, gamekeeper);
    const shown = { panel, server, view };
    await t.test(`that somebody else has changed is shown beside one's own text on a ${view.screen}`, (t) =>
      conflict(t, shown),
    );
    await t.test(`is shown as what it is on a ${view.screen}`, (t) => preview(t, shown));
    await panel.page.context().close();
  }
  await t.test('that was opened to an operator has no secrets, and is reached by keyboard', (t) =>
    operator(t, browser, gamekeeper),
  );
});

async function conflict(t: Test, { panel, server: { id, at }, view: { scheme } }: Shown): Promise<void> {
  const { page } = panel;
  const file = at('plugins/shop/config.yml');
  const edit = async (name: string, typed: string) => {
    await panel.follow(`/servers/${id}/files?open=plugins/shop/${name}`);
    const text = page.getByRole('textbox', { name: `Text of ${name}` });
    await text.press('Control+Home');
    await page.keyboard.type(typed);
  };
  await edit('config.yml', 'mine: 1\n');
  writeFileSync(file, 'theirs: 1\r\n');
  await page.keyboard.press('Control+S');
  const both = page.getByRole('dialog', { name: 'Somebody else has changed this file' });
  await both.getByRole('textbox', { name: 'The file now' }).filter({ hasText: 'theirs: 1' }).waitFor();
  await both.getByRole('textbox', { name: 'Your text' }).filter({ hasText: 'mine: 1' }).waitFor();
  t.notOk(await scrollsSideways(page));
  t.same(await accessibilityFaults(page, [scheme]), [], 'axe finds nothing in the comparison');
  t.equal(readFileSync(file, 'utf8'), 'theirs: 1\r\n', 'nothing is overwritten unseen');
  await both.getByRole('button', { name: 'Save your text' }).click();
  await page.getByText('Saved').waitFor();
  t.equal(readFileSync(file, 'utf8'), 'mine: 1\r\nprice: 1\r\npassword: hunter22\r\n');

  await edit('config.yml', 'again: 1\n');
  writeFileSync(file, 'theirs: 2\r\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await both.getByRole('button', { name: 'Take the file as it is now' }).click();
  await page.getByRole('textbox', { name: 'Text of config.yml' }).getByText('theirs').waitFor();
  t.equal(readFileSync(file, 'utf8'), 'theirs: 2\r\n');

  await page.getByRole('button', { name: 'History' }).click();
  const history = page.getByRole('dialog', { name: 'Earlier versions of config.yml' });
  await history.getByRole('textbox', { name: 'The earlier version' }).filter({ hasText: 'theirs: 1' }).waitFor();
  t.notOk(await scrollsSideways(page));
  t.same(await accessibilityFaults(page, [scheme]), [], 'axe finds nothing in the history');
  await history.getByRole('button', { name: 'Put this version back' }).click();
  await page.getByRole('textbox', { name: 'Text of config.yml' }).filter({ hasText: 'theirs: 1' }).waitFor();
  t.equal(readFileSync(file, 'utf8'), 'theirs: 1\r\n');

  writeFileSync(at('plugins/shop/broken.json'), '{"a": 1}');
  await edit('broken.json', '{{');
  await page.locator('.cm-lint-marker-error').waitFor();
  const asked = page.waitForEvent('dialog');
  const tab = page.getByRole('tabpanel'); // Messages have such a button as well.
  const leaving = tab.getByRole('button', { name: 'Close', exact: true }).click();
  await (await asked).accept();
  await leaving;
  await page.getByRole('button', { name: 'Show broken.json' }).waitFor();
  t.equal(readFileSync(at('plugins/shop/broken.json'), 'utf8'), '{"a": 1}');
  t.same(panel.complaints.filter(isUnexpected), []);
}

async function preview(t: Test, { panel, server: { id, at } }: Shown): Promise<void> {
  const { page } = panel;
  const show = (name: string) => panel.follow(`/servers/${id}/files?open=${name}`);
  writeFileSync(at('old.log.gz'), gzipSync('Steve joined the game\n'));
  await show('old.log.gz');
  await page.getByText('Steve joined the game').waitFor();
  await page.getByText('Read-only').waitFor();
  writeFileSync(at('icon.png'), Buffer.from(PIXEL, 'base64'));
  await show('icon.png');
  await page.getByRole('img', { name: 'icon.png' }).waitFor();
  await until('the image is shown', () =>
    page.evaluate<boolean>(`document.querySelector('img[alt="icon.png"]').naturalWidth === 1`),
  );
  t.notOk(await scrollsSideways(page));
  writeFileSync(at('big.log'), `first line\n${'x'.repeat(99)}\n`.repeat(25_000));
  await show('big.log');
  await page.getByText('too large to edit here').waitFor();
  t.notOk(await scrollsSideways(page));
  await page.getByRole('button', { name: 'Next part' }).click();
  await page.getByText('first line').first().waitFor();
  await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
  writeFileSync(at('world.dat'), Buffer.alloc(64));
  await show('world.dat');
  await page.getByText('This is not a text file').waitFor();
  writeFileSync(at('latin.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  await show('latin.txt');
  await page.getByText('Latin-1 · LF').waitFor();
  const latin = page.getByRole('textbox', { name: 'Text of latin.txt' });
  await latin.press('Control+End');
  await page.keyboard.press('Control+k');
  await hasFocus(page.getByPlaceholder('Go to…'));
  await page.keyboard.press('Escape');
  await hasFocus(latin);
  await page.keyboard.type('s');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  t.same(readFileSync(at('latin.txt')), Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x73]));
  t.same(panel.complaints.filter(isUnexpected), []);
}

async function operator(t: Test, browser: Browser, gamekeeper: Gamekeeper): Promise<void> {
  await serverWithFiles(gamekeeper, 'demo');
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Other' });
  const owner = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  await signInAs(owner, gamekeeper);
  await owner.visit('/host/users');
  await owner.page.getByRole('button', { name: 'Add user' }).click();
  const added = owner.page.getByRole('dialog', { name: 'Add user' });
  await added.getByLabel('Username').fill('carl');
  await added.getByText('Only these').click();
  await added.getByRole('combobox', { name: 'Only these' }).press('ArrowDown');
  await owner.page.getByRole('option', { name: 'demo' }).click();
  await owner.page.getByRole('option', { name: 'Other' }).click();
  await owner.page.keyboard.press('Escape');
  await added.getByRole('radiogroup', { name: 'Files of demo' }).getByText('Change').click();
  await added.getByText('can run any program').waitFor();
  await added.getByRole('radiogroup', { name: 'Files of demo' }).getByText('Read').click();
  await added.getByLabel('Password').first().fill(PASSWORD);
  await added.getByRole('button', { name: 'Add user' }).click();
  await owner.page.getByText('carl').first().waitFor();
  const admin = await administrator(gamekeeper);
  await admin.ask('PATCH', '/api/users/carl', { mustChangePassword: false });

  const panel = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page } = panel;
  await signInAs(panel, { username: 'carl', password: PASSWORD });
  await panel.visit('/servers/other/console');
  await page.getByRole('tab', { name: 'Console' }).waitFor();
  t.equal(await page.getByRole('tab', { name: 'Files' }).count(), 0);
  await panel.visit('/servers/demo/files');
  await page.getByText('Passwords and other secrets are hidden').waitFor();
  for (const action of ['Upload', 'New', 'Trash', 'Download folder'])
    t.equal(await page.getByRole('button', { name: action, exact: true }).count(), 0, action);
  await page.getByRole('button', { name: 'Open plugins' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Open shop' }).focus();
  await page.keyboard.press('ArrowDown');
  await hasFocus(page.getByText('way-out (link)'));
  await page.keyboard.press('F2');
  t.equal(await page.getByRole('dialog').count(), 0);
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Show config.yml' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Text of config.yml' }).getByText('********').waitFor();
  t.equal(await page.getByText('hunter22').count(), 0);
  t.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
  await page.getByRole('tabpanel').getByRole('button', { name: 'Close', exact: true }).click();
  await hasFocus(page.getByRole('button', { name: 'Show config.yml' }));
  await page.keyboard.press('Backspace');
  await hasFocus(page.getByRole('button', { name: 'Open shop' }));
  t.notOk(await scrollsSideways(page));
  t.same(await accessibilityFaults(page, ['light']), []);
  t.same([...panel.complaints, ...owner.complaints], []);
}

/** The browser logs refusals, which these tests cause. */
function isUnexpected(complaint: string): boolean {
  return !/412/.test(complaint);
}
