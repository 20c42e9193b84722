/** The file manager: one Gamekeeper, on both widths. The editor is in file-editor.test.ts. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
import { type ServerWithFiles, serverWithFiles } from '../support/browser/server-with-files.ts';
import { partOfUpload, slowDownUploads, watchUploads } from '../support/browser/slow-upload.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

interface Shown {
  panel: PanelWindow;
  server: ServerWithFiles;
  view: View;
}

t.test('the files of a server', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  for (const view of [
    { screen: 'desktop', scheme: 'dark' },
    { screen: 'phone', scheme: 'light' },
  ] as const satisfies View[]) {
    const server = await serverWithFiles(gamekeeper, view.screen);
    const panel = await openWindow(browser, gamekeeper, view);
    await signInAs(panel, gamekeeper);
    const shown = { panel, server, view };
    await t.test(`are browsed, edited, uploaded, renamed and deleted on a ${view.screen}`, (t) => manage(t, shown));
    await t.test(`are uploaded by drag and drop on a ${view.screen}`, (t) => dropFiles(t, shown));
    await t.test(`an upload goes on after a reload on a ${view.screen}`, (t) => reloadDuringUpload(t, shown));
    await panel.page.context().close();
  }
});

async function manage(t: Test, { panel, server: { id, at }, view: { scheme } }: Shown): Promise<void> {
  const { page } = panel;
  await panel.follow(`/servers/${id}/files`);
  await page.getByRole('button', { name: 'Open plugins' }).click();
  await page.getByText('way-out (link)').waitFor();
  t.notOk(await scrollsSideways(page));
  t.same(await accessibilityFaults(page, [scheme]), [], 'axe finds nothing in a folder');
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
  t.same(await accessibilityFaults(page, [scheme]), [], 'axe finds nothing in the editor');
  await page.getByRole('tabpanel').getByRole('button', { name: 'Close', exact: true }).click();
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
  t.same(await accessibilityFaults(page, [scheme]), [], 'axe finds nothing in the trash');
  await trash.getByRole('button', { name: 'Put back plugins/shop/small.bin' }).click();
  await trash.getByText('The trash is empty.').waitFor();
  t.ok(existsSync(at('plugins/shop/small.bin')));
  await trash.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('checkbox', { name: 'Select config.yml' }).check();
  await page.getByRole('checkbox', { name: 'Select small.bin' }).check();
  t.notOk(await scrollsSideways(page));
  t.same(await accessibilityFaults(page, [scheme]), [], 'axe finds nothing with a selection');
  await page.getByRole('button', { name: 'Create ZIP' }).click();
  const zip = page.getByRole('dialog', { name: 'Create a ZIP' });
  await zip.getByLabel('Name').fill('both.zip');
  await zip.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Show both.zip' }).waitFor();
  await act('config.yml', 'Delete');
  await act('small.bin', 'Delete');
  await until('both are gone', () => !existsSync(at('plugins/shop/small.bin')));
  await act('both.zip', 'Unpack here');
  await page.getByRole('button', { name: 'Show small.bin' }).waitFor();
  t.ok(readFileSync(at('plugins/shop/config.yml'), 'utf8').startsWith('name: x'));

  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Disk usage' }).click();
  const usage = page.getByRole('dialog', { name: 'What fills the disk' });
  await usage.getByText('3 files').waitFor();
  await usage.getByRole('button', { name: 'Server folder' }).click();
  await usage.getByRole('button', { name: 'Open plugins' }).waitFor();
  t.notOk(await scrollsSideways(page));
  t.same(await accessibilityFaults(page, [scheme]), [], 'axe finds nothing in the disk usage');
  await page.keyboard.press('Escape');
  await main.getByRole('button', { name: 'Search', exact: true }).click();
  const find = page.getByRole('dialog', { name: 'Search for files' });
  await find.getByLabel('Text in the file').fill('PRICE');
  await find.getByRole('button', { name: 'Search' }).click();
  await find.getByText('price: 1').waitFor();
  t.same(await accessibilityFaults(page, [scheme]), [], 'axe finds nothing in the search');
  await find.getByRole('button', { name: 'plugins/shop/config.yml' }).click();
  await page.getByRole('textbox', { name: 'Text of config.yml' }).getByText('price').waitFor();
  t.same(panel.complaints.filter(isUnexpected), []);
}

/** By the browser's own events for a drag from outside of it: only those can hold folders. */
async function dropFiles(t: Test, { panel: { page, follow, complaints }, server: { id, at } }: Shown): Promise<void> {
  const source = temporaryFolder(t);
  mkdirSync(path.join(source, 'pack/data/empty'), { recursive: true });
  writeFileSync(path.join(source, 'pack/data/one.txt'), 'one');
  writeFileSync(path.join(source, 'pack/pack.mcmeta'), '{}');
  writeFileSync(path.join(source, 'alone.txt'), 'alone');
  mkdirSync(at('dropped'));
  await follow(`/servers/${id}/files?path=dropped`);
  await page.getByText('Drop files here to upload them.').waitFor();
  // Below, messages from before may cover a phone.
  const { x, y } = (await page.getByText('dropped', { exact: true }).boundingBox())!;
  const browser = await page.context().newCDPSession(page);
  const data = {
    items: [],
    files: ['pack', 'alone.txt'].map((name) => path.join(source, name)),
    dragOperationsMask: 1,
  };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await browser.send('Input.dispatchDragEvent', { type, x: x + 5, y: y + 5, data });
  await page.getByRole('button', { name: 'Show alone.txt' }).waitFor();
  await page.getByRole('button', { name: 'Open pack' }).click();
  await page.getByRole('button', { name: 'Show pack.mcmeta' }).waitFor();
  await until('the last file is there', () => existsSync(at('dropped/pack/data/one.txt')));
  t.equal(readFileSync(at('dropped/pack/data/one.txt'), 'utf8'), 'one');
  t.equal(readFileSync(at('dropped/alone.txt'), 'utf8'), 'alone');
  t.notOk(await scrollsSideways(page));
  t.same(complaints.filter(isUnexpected), []);
}

async function reloadDuringUpload(t: Test, { panel, server: { id, at }, view: { scheme } }: Shown): Promise<void> {
  const { page, follow, complaints } = panel;
  const content = Buffer.alloc(4_000_000, 'map');
  const local = path.join(temporaryFolder(t), 'map.bin');
  writeFileSync(local, content);
  const choose = async () => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload', exact: true }).click(),
    ]);
    await chooser.setFiles(local);
  };
  const requests = watchUploads(page);
  mkdirSync(at('maps'));
  await follow(`/servers/${id}/files?path=maps`);
  const speedUp = await slowDownUploads(page);
  await choose();
  const progress = page.getByRole('progressbar', { name: 'Progress of map.bin' });
  await until('the bar has moved', async () => Number(await progress.getAttribute('aria-valuenow')) > 0);
  t.notOk(await scrollsSideways(page));
  t.same(await accessibilityFaults(page, [scheme]), [], 'axe finds nothing during an upload');
  await partOfUpload(at(''));
  t.notOk(existsSync(at('maps/map.bin')), 'not before it is whole');
  await page.reload();
  await page.getByText('This folder is empty').waitFor();
  await speedUp();
  requests.length = 0;
  await choose();
  await page.getByRole('button', { name: 'Show map.bin' }).waitFor();
  t.same(requests, ['HEAD start', 'PATCH later'], 'the upload goes on where it was');
  t.ok(readFileSync(at('maps/map.bin')).equals(content));
  t.same(complaints.filter(isUnexpected), []);
}

/** The browser logs refusals, which these tests cause. */
function isUnexpected(complaint: string): boolean {
  return !/409|412/.test(complaint);
}
