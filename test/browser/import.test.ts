import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import {
  accessibilityFaults,
  field,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { indexOf, modFile, packOf } from '../workers/jobs/modpacks/pack-files.ts';
import { startFakeFabric } from '../workers/jobs/mods/fake-fabric.ts';
import { GAME, startFakeModrinth } from '../workers/jobs/mods/fake-modrinth.ts';
import { paperclip, SETTINGS, writeServer } from '../workers/pool/recognise/server-folders.ts';
import { type HandmadeEntry, zipBytes } from '../workers/pool/zip-bytes.ts';

/** Bytes of a sparse file; reading them takes long enough to cancel the import. Just below what needs ZIP64. */
const LARGE = 4_000_000_000;

/** The field and the two buttons in each language. */
const WORDS = {
  en: ['Folder or ZIP on this machine', 'Inspect', 'Import'],
  de: ['Ordner oder ZIP auf diesem Rechner', 'Untersuchen', 'Importieren'],
  zh: ['这台机器上的文件夹或 ZIP', '检查', '导入'],
} as const;

t.test('an existing folder is inspected, then imported', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const known = writeServer(path.join(temporaryFolder(t), 'survival'), {
    ...SETTINGS,
    'paper.jar': paperclip('paper'),
  });
  const unknown = writeServer(path.join(temporaryFolder(t), 'mystery'), { 'notes.txt': 'nothing here' });

  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page, visit } = window;
  await signInAs(window, gamekeeper);
  await visit('/new');
  await page.getByText('Import existing').click();
  const folder = field(page, 'Folder or ZIP on this machine');
  const look = page.getByRole('button', { name: 'Inspect' });
  await folder.fill('/nowhere/at/all');
  await look.click();
  await page.getByRole('alert').waitFor();

  await folder.fill(unknown);
  await look.click();
  await page.getByText('Not detected. Please enter it.').first().waitFor();

  await folder.fill(`${known}/`);
  await look.click();
  const found = page.getByRole('table', { name: 'Detected settings' });
  await found.getByText('1.21.4').waitFor();
  t.equal((await gamekeeper.api<object[]>('GET', '/instances')).body.length, 0, 'inspecting creates nothing');
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  t.equal(await field(page, 'Name').inputValue(), 'survival');
  await field(page, 'Name').fill('Old world');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('heading', { name: 'Old world' }).waitFor();
  t.match((await gamekeeper.api('GET', '/instances')).body, [{ name: 'Old world', software: 'paper', port: 25_570 }]);
});

t.test('a modpack is found, and becomes a server with its mods', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const modrinth = await startFakeModrinth(t);
  const fabric = await startFakeFabric(t, GAME);
  modrinth.add({ slug: 'calm', versions: [{ number: '1' }] });
  const content = packOf(indexOf([modFile('calm', modrinth)]));
  const versions = [
    { number: '1', content },
    { number: '2', content },
  ];
  modrinth.add({ slug: 'pack', type: 'modpack', versions });
  modrinth.add({ slug: 'shaders', type: 'modpack', serverSide: 'unsupported', versions });
  const vendors = { modrinth: modrinth.base, fabric: fabric.base };
  const gamekeeper = await startGamekeeper(t, { settings: { vendors } });

  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
  const { page, visit, complaints } = window;
  await signInAs(window, gamekeeper);
  await visit('/new');
  await page.getByText('Use a modpack').click();
  const choose = page.getByRole('button', { name: 'Choose Pack' });
  await choose.waitFor();
  t.equal(await page.getByText('Shaders', { exact: true }).count(), 0, 'modpacks for players are not offered');
  t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing in the results');
  t.notOk(await scrollsSideways(page), 'they fit on a phone');
  await page.getByLabel('Search modpacks on Modrinth').fill('nothing like it');
  await page.getByText('No modpack found.').waitFor();
  await page.getByLabel('Search modpacks on Modrinth').fill('pack');
  await choose.click();

  await page.getByRole('heading', { name: 'Pack' }).waitFor();
  await page.getByRole('combobox', { name: 'Version of the modpack' }).click();
  await page.getByRole('option', { name: `1 · ${GAME} · fabric` }).click();
  await field(page, 'Name').fill('Calm days');
  t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing in the form');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  await page.getByRole('button', { name: 'Create server' }).click();
  await page.getByRole('heading', { name: 'Calm days' }).waitFor();
  t.match((await gamekeeper.api('GET', '/instances')).body, [{ name: 'Calm days', software: 'fabric', version: GAME }]);
  await visit('/servers/calm-days/mods');
  await page.getByText('calm.jar').waitFor();
  t.same(complaints, []);
});

t.test('a ZIP is inspected and unpacked with visible progress; the import can be cancelled', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const archive = path.join(temporaryFolder(t), 'Old world.zip');
  const server = Object.entries({ ...SETTINGS, 'paper.jar': paperclip('paper') });
  const entries = server.map(([name, content]) => ({ name: `server/${name}`, content }));
  writeLargeZip(archive, entries);
  const instances = async () => (await gamekeeper.api<object[]>('GET', '/instances')).body;

  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
  const { page, visit, complaints } = window;
  await signInAs(window, gamekeeper);
  await visit('/new');
  await page.getByText('Import existing').click();
  await field(page, WORDS.en[0]).fill(archive);
  await page.getByRole('button', { name: 'Inspect' }).click();
  await page.getByRole('table', { name: 'Detected settings' }).getByText('1.21.4').waitFor();
  t.same(await instances(), [], 'inspecting creates nothing');
  t.equal(await field(page, 'Name').inputValue(), 'Old world');
  t.notOk(await page.getByLabel(/^I accept the Minecraft EULA/).isChecked(), 'a ZIP cannot accept the EULA');

  const take = page.getByRole('button', { name: 'Import', exact: true });
  await take.click();
  const form = page.getByRole('main');
  await form.getByRole('progressbar', { name: 'Importing old-world' }).waitFor();
  t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  await form.getByRole('button', { name: 'Cancel task' }).click();
  await page.getByText('Import cancelled. Nothing was created.').waitFor();
  t.same(await instances(), []);

  writeFileSync(archive, zipBytes(entries));
  await page.getByLabel(/^I accept the Minecraft EULA/).check();
  await take.click();
  await page.getByRole('heading', { name: 'Old world' }).waitFor();
  t.match(await instances(), [{ id: 'old-world', software: 'paper', version: '1.21.4', port: 25_570 }]);
  t.same(complaints, []);
});

t.test('a ZIP can be imported in each language', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'light' });
  const { page, visit } = window;
  await signInAs(window, gamekeeper);
  for (const [language, [label, look, take]] of Object.entries(WORDS)) {
    const archive = path.join(temporaryFolder(t), `In ${language}.zip`);
    writeFileSync(archive, zipBytes([{ name: 'paper.jar', content: paperclip('paper') }]));
    await page.evaluate(`localStorage.setItem('gamekeeper.language', '${language}')`);
    await visit('/new');
    await page.getByRole('radiogroup').locator('label').nth(2).click();
    await field(page, label).fill(archive);
    await page.getByRole('button', { name: look, exact: true }).click();
    await page.getByRole('cell', { name: 'paper.jar' }).first().waitFor();
    await page.getByRole('button', { name: take, exact: true }).click();
    await page.getByRole('heading', { name: `In ${language}` }).waitFor();
  }
});

/** Writes a ZIP with these entries and a large one of zeros. */
function writeLargeZip(file: string, entries: readonly HandmadeEntry[]): void {
  const large = { name: 'server/large', claims: { size: LARGE, compressedSize: LARGE } };
  const bytes = zipBytes([...entries, large]);
  const end = bytes.length - 22;
  const directory = bytes.readUInt32LE(end + 16);
  bytes.writeUInt32LE(directory + LARGE, end + 16);
  writeFileSync(file, bytes.subarray(0, directory));
  truncateSync(file, directory + LARGE);
  writeFileSync(file, bytes.subarray(directory), { flag: 'a' });
}
