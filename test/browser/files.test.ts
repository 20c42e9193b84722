import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import {
  accessibilityFaults,
  hasFocus,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
  type View,
} from '../support/browser/browser.ts';
import { administrator } from '../support/browser/panel-user.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PASSWORD = 'correct horse battery staple';

async function serverWithFiles(t: Test) {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const folder = path.join(gamekeeper.home, 'instances/demo');
  const at = (name: string) => path.join(folder, name);
  mkdirSync(at('plugins/shop'), { recursive: true });
  writeFileSync(at('plugins/shop/config.yml'), 'price: 1\r\npassword: hunter22\r\n');
  symlinkSync('/etc', at('plugins/way-out'));
  return { gamekeeper, at };
}

for (const view of [
  { screen: 'desktop', scheme: 'dark' },
  { screen: 'phone', scheme: 'light' },
] as const satisfies View[])
  t.test(`files are browsed, edited, uploaded, renamed and deleted on a ${view.screen}`, async (t) => {
    const browser = await startBrowser(t);
    if (!browser) return;
    const { gamekeeper, at } = await serverWithFiles(t);
    const panel = await openWindow(browser, gamekeeper, view);
    const { page } = panel;
    await signInAs(panel, gamekeeper);
    await panel.visit('/servers/demo/files');

    await page.getByRole('button', { name: 'Open plugins' }).click();
    await page.getByText('way-out (link)').waitFor();
    t.notOk(await scrollsSideways(page));
    t.same(await accessibilityFaults(page, [view.scheme]), [], 'axe finds nothing in a folder');
    await page.getByRole('button', { name: 'Open shop' }).click();
    await page.getByRole('button', { name: 'Show config.yml' }).click();

    const text = page.getByRole('textbox', { name: 'Text of config.yml' });
    await text.getByText('price').waitFor();
    await page.getByText('UTF-8 · CRLF').waitFor();
    t.notOk(await scrollsSideways(page));
    await text.press('Control+Home');
    await page.keyboard.type('name: x\n');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    t.equal(readFileSync(at('plugins/shop/config.yml'), 'utf8'), 'name: x\r\nprice: 1\r\npassword: hunter22\r\n');
    t.same(await accessibilityFaults(page, [view.scheme]), [], 'axe finds nothing in the editor');
    await page.getByRole('button', { name: 'Close', exact: true }).first().click();
    await hasFocus(page.getByRole('button', { name: 'Show config.yml' }));

    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload' }).click(),
    ]);
    const name = 'big.bin';
    await chooser.setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(3_000_000, 7) });
    await page.getByRole('button', { name: `Show ${name}` }).waitFor();
    t.ok(readFileSync(at(`plugins/shop/${name}`)).equals(Buffer.alloc(3_000_000, 7)));
    const [again] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload' }).click(),
    ]);
    await again.setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from('small') });
    await page.getByText('A file with this name exists').waitFor();
    t.equal(readFileSync(at(`plugins/shop/${name}`)).length, 3_000_000, 'nothing is replaced unasked');
    await page.getByRole('button', { name: 'Replace it' }).click();
    await until('it is replaced', () => readFileSync(at(`plugins/shop/${name}`), 'utf8') === 'small');

    const act = async (entry: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${entry}` }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    await act(name, 'Rename');
    const asked = page.getByRole('dialog', { name: `Rename ${name}` });
    await asked.getByLabel('Name').fill('a/b');
    await asked.getByText('cannot contain a slash').waitFor();
    await asked.getByLabel('Name').fill('config.yml');
    await asked.getByRole('button', { name: 'Rename' }).click();
    await asked.getByText('File exists').waitFor();
    await asked.getByLabel('Name').fill('small.bin');
    await asked.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'Show small.bin' }).waitFor();

    await act('small.bin', 'Delete');
    await page.getByText('Moved small.bin to the trash').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('it is back', () => existsSync(at('plugins/shop/small.bin')));
    await act('small.bin', 'Delete');
    await until('it is gone', () => !existsSync(at('plugins/shop/small.bin')));
    await page.getByRole('button', { name: 'Trash' }).click();
    const trash = page.getByRole('dialog', { name: 'Trash' });
    t.same(await accessibilityFaults(page, [view.scheme]), [], 'axe finds nothing in the trash');
    await trash.getByRole('button', { name: 'Put back plugins/shop/small.bin' }).click();
    await trash.getByText('The trash is empty.').waitFor();
    t.ok(existsSync(at('plugins/shop/small.bin')));
    t.same(
      panel.complaints.filter((complaint) => !/409|412/.test(complaint)),
      [],
    );
  });

for (const view of [
  { screen: 'desktop', scheme: 'light' },
  { screen: 'phone', scheme: 'dark' },
] as const satisfies View[])
  t.test(`a file that somebody else has changed is shown beside one's own text on a ${view.screen}`, async (t) => {
    const browser = await startBrowser(t);
    if (!browser) return;
    const { gamekeeper, at } = await serverWithFiles(t);
    const panel = await openWindow(browser, gamekeeper, view);
    const { page } = panel;
    await signInAs(panel, gamekeeper);
    const file = at('plugins/shop/config.yml');
    const edit = async (name: string, typed: string) => {
      await panel.visit(`/servers/demo/files?open=plugins/shop/${name}`);
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
    t.same(await accessibilityFaults(page, [view.scheme]), [], 'axe finds nothing in the comparison');
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
    t.same(await accessibilityFaults(page, [view.scheme]), [], 'axe finds nothing in the history');
    await history.getByRole('button', { name: 'Put this version back' }).click();
    await page.getByRole('textbox', { name: 'Text of config.yml' }).filter({ hasText: 'theirs: 1' }).waitFor();
    t.equal(readFileSync(file, 'utf8'), 'theirs: 1\r\n');

    writeFileSync(at('plugins/shop/broken.json'), '{"a": 1}');
    await edit('broken.json', '{{');
    await page.locator('.cm-lint-marker-error').waitFor();
    const asked = page.waitForEvent('dialog');
    const leaving = page.getByRole('button', { name: 'Close', exact: true }).click();
    await (await asked).accept();
    await leaving;
    await page.getByRole('button', { name: 'Show broken.json' }).waitFor();
    t.equal(readFileSync(at('plugins/shop/broken.json'), 'utf8'), '{"a": 1}');
    t.same(
      panel.complaints.filter((complaint) => !/412/.test(complaint)),
      [],
    );
  });

t.test('logs, images, large and other files are shown as what they are', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const { gamekeeper, at } = await serverWithFiles(t);
  const panel = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  const { page } = panel;
  await signInAs(panel, gamekeeper);
  const show = (name: string) => panel.visit(`/servers/demo/files?open=${name}`);
  writeFileSync(at('old.log.gz'), gzipSync('Steve joined the game\n'));
  await show('old.log.gz');
  await page.getByText('Steve joined the game').waitFor();
  await page.getByText('Read-only').waitFor();
  writeFileSync(at('icon.png'), Buffer.from(PIXEL, 'base64'));
  await show('icon.png');
  await page.getByRole('img', { name: 'icon.png' }).waitFor();
  writeFileSync(at('big.log'), `first line\n${'x'.repeat(99)}\n`.repeat(25_000));
  await show('big.log');
  await page.getByText('too large to edit here').waitFor();
  await page.getByRole('button', { name: 'Next part' }).click();
  await page.getByText('first line').first().waitFor();
  t.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
  writeFileSync(at('world.dat'), Buffer.alloc(64));
  await show('world.dat');
  await page.getByText('This is not a text file').waitFor();
  writeFileSync(at('latin.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  await show('latin.txt');
  await page.getByText('Latin-1 · LF').waitFor();
  await page.getByRole('textbox', { name: 'Text of latin.txt' }).press('Control+End');
  await page.keyboard.type('s');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  t.same(readFileSync(at('latin.txt')), Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x73]));
  t.same(panel.complaints, []);
});

t.test('an operator sees the files that were opened to him, without secrets, by keyboard as well', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const { gamekeeper } = await serverWithFiles(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Other' });
  const owner = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  await signInAs(owner, gamekeeper);
  await owner.visit('/host/users');
  await owner.page.getByRole('button', { name: 'Add user' }).click();
  const added = owner.page.getByRole('dialog', { name: 'Add user' });
  await added.getByLabel('Username').fill('carl');
  await added.getByText('Only these').click();
  await added.getByRole('combobox', { name: 'Only these' }).press('ArrowDown');
  await owner.page.getByRole('option', { name: 'Demo' }).click();
  await owner.page.getByRole('option', { name: 'Other' }).click();
  await owner.page.keyboard.press('Escape');
  await added.getByRole('radiogroup', { name: 'Files of Demo' }).getByText('Change').click();
  await added.getByText('can run any program').waitFor();
  await added.getByRole('radiogroup', { name: 'Files of Demo' }).getByText('Read').click();
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
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await hasFocus(page.getByRole('button', { name: 'Show config.yml' }));
  await page.keyboard.press('Backspace');
  await hasFocus(page.getByRole('button', { name: 'Open shop' }));
  t.notOk(await scrollsSideways(page));
  t.same(await accessibilityFaults(page, ['light']), []);
  t.same([...panel.complaints, ...owner.complaints], []);
});
