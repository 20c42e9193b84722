import { randomBytes } from 'node:crypto';
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import t from 'tap';
import { packMemory } from '../../workers/jobs/modpacks/pack-memory.ts';
import { machineMemory } from '../../workers/jobs/provisioning/machine-memory.ts';
import {
  accessibilityFaults,
  field,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { partOfUpload, slowDownUploads, watchUploads } from '../support/browser/slow-upload.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
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
  en: ['Or a folder, ZIP or modpack on the host', 'Inspect', 'Import'],
  de: ['Oder ein Ordner, ZIP oder Modpack auf dem Rechner mit Gamekeeper', 'Untersuchen', 'Importieren'],
  zh: ['或主机上的文件夹、ZIP 或整合包', '检查', '导入'],
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
  const folder = field(page, 'Or a folder, ZIP or modpack on the host');
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

/** Holds back requests to an address until the returned function is called. */
async function heldBack(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

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
  await page.getByText('No modpack found').waitFor();
  t.equal(await page.locator('main .picture').count(), 1);
  await page.getByLabel('Search modpacks on Modrinth').fill('pack');
  const [listed, created] = [
    await heldBack(page, '**/modpacks/*/versions'),
    await heldBack(page, '**/instances/modpack'),
  ];
  await choose.click();

  await page.getByRole('heading', { name: 'Pack' }).waitFor();
  const versionField = page.getByRole('combobox', { name: 'Version of the modpack' });
  t.ok(await versionField.isDisabled(), 'there is nothing to choose from yet');
  listed();
  await versionField.click();
  await page.getByRole('option', { name: `1 · ${GAME} · fabric` }).click();
  await field(page, 'Name').fill('Calm days');
  const suggested = `${packMemory(0, machineMemory()) / 1_024} GB`;
  t.equal(await field(page, 'Memory').inputValue(), suggested, 'suggested by its mods');
  await field(page, 'Memory').fill('2.5');
  await page.getByRole('slider', { name: 'Choose the memory' }).waitFor();
  const start = page.getByLabel('Start it when it is ready');
  t.ok(await start.isDisabled(), 'not without the EULA');
  await page.getByLabel(/^I accept the Minecraft EULA/).check();
  await start.uncheck();
  t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing in the form');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  await page.getByRole('button', { name: 'Create server' }).click();
  await page.locator('button[data-loading]').waitFor();
  t.ok(await page.getByRole('button', { name: 'Choose another modpack' }).isDisabled(), 'it is being created');
  created();
  await page.getByRole('heading', { name: 'Calm days' }).waitFor();
  t.match((await gamekeeper.api('GET', '/instances')).body, [
    { name: 'Calm days', software: 'fabric', version: GAME, memoryMb: 2_560, status: 'stopped' },
  ]);
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
  await form.getByRole('progressbar', { name: 'Creating old-world' }).waitFor();
  t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  await form.getByRole('button', { name: 'Cancel task' }).click();
  await page.getByText('Cancelled. Nothing was created.').waitFor();
  t.same(await instances(), []);

  writeFileSync(archive, zipBytes(entries));
  await page.getByLabel(/^I accept the Minecraft EULA/).check();
  await take.click();
  await page.getByRole('heading', { name: 'Old world' }).waitFor();
  t.match(await instances(), [{ id: 'old-world', software: 'paper', version: '1.21.4', port: 25_570 }]);
  t.same(complaints, []);
});

t.test('a file of this computer is chosen or dropped, and imported; the upload goes on after a break', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const folder = temporaryFolder(t);
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(path.join(folder, name), content);
    return path.join(folder, name);
  };
  const entries = Object.entries({ ...SETTINGS, 'paper.jar': paperclip('paper') });
  const small = zipBytes(entries.map(([name, content]) => ({ name, content })));
  const large = zipBytes([
    ...entries.map(([name, content]) => ({ name, content })),
    { name: 'world/region/r.0.0.mca', content: randomBytes(2 * 1024 * 1024) },
  ]);

  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
  const { page, visit } = window;
  await signInAs(window, gamekeeper);
  const open = async () => {
    await visit('/new');
    await page.getByText('Use a modpack').click();
    await page.getByRole('button', { name: 'Import it' }).click();
  };
  const choose = async (file: string) => {
    const button = page.getByRole('button', { name: 'Choose a file on this computer' });
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()]);
    await chooser.setFiles(file);
  };
  const found = page.getByRole('table', { name: 'Detected settings' });

  await open();
  await choose(write('notes.txt', 'not a server'));
  await page.getByText('Only ZIP files and modpacks (.mrpack) can be imported.').waitFor();

  // The line is down twice.
  let broken = 0;
  const isUpload = (url: URL) => url.pathname.includes('/import/uploads/');
  await page.route(isUpload, async (route) => {
    if (route.request().method() === 'PATCH' && broken++ < 2) await route.abort();
    else await route.continue();
  });
  await page.getByText('Or drop a ZIP').dispatchEvent('drop', {
    dataTransfer: await page.evaluateHandle(`(() => {
      const bytes = Uint8Array.from(atob('${small.toString('base64')}'), (one) => one.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], 'Dropped.zip'));
      return transfer;
    })()`),
  });
  await found.getByText('1.21.4').waitFor();
  await page.unroute(isUpload);
  t.equal(broken, 3);
  t.equal(await field(page, 'Name').inputValue(), 'Dropped');
  t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing once it is inspected');
  await page.getByRole('button', { name: 'Remove Dropped.zip' }).click();
  await found.waitFor({ state: 'hidden' });
  const kept = path.join(gamekeeper.home, 'imports/.gamekeeper-files/uploads');
  await until('the upload is removed', () => readdirSync(kept).length === 0);

  const file = write('Old world.zip', large);
  const requests = watchUploads(page);
  const speedUp = await slowDownUploads(page);
  await choose(file);
  await page.getByText('choose the same file again').waitFor();
  await partOfUpload(path.join(gamekeeper.home, 'imports'));
  t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing during an upload');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  await page.reload();
  await speedUp();
  await open();
  requests.length = 0;
  await choose(file);
  await found.getByText('1.21.4').waitFor();
  t.same(requests, ['HEAD start', 'PATCH later'], 'the upload goes on where it was');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('heading', { name: 'Old world' }).waitFor();
  t.match((await gamekeeper.api('GET', '/instances')).body, [{ id: 'old-world', software: 'paper' }]);
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
