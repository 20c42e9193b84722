/** The Worlds tab: worlds are shown, replaced and reset, on both widths. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { write } from 'nbtify';
import t, { type Test } from 'tap';
import {
  accessibilityFaults,
  openWindow,
  type PanelWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
  type View,
} from '../support/browser/browser.ts';
import { partOfUpload, slowDownUploads, watchUploads } from '../support/browser/slow-upload.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('the worlds of a server', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const source = temporaryFolder(t);
  await writeWorld(path.join(source, 'backup/Island'), 'Island', 7n);
  writeFileSync(path.join(source, 'backup/Island/region.mca'), randomBytes(4_000_000));
  const zip = path.join(temporaryFolder(t), 'other.zip');
  execFileSync('zip', ['-q', '-r', zip, '.'], { cwd: source });
  for (const view of [
    { screen: 'desktop', scheme: 'dark' },
    { screen: 'phone', scheme: 'light' },
  ] as const satisfies View[]) {
    const { screen } = view;
    await gamekeeper.api('POST', '/instances', { software: 'demo', name: screen });
    const folder = path.join(gamekeeper.home, 'instances', screen);
    await writeWorld(path.join(folder, 'castle'), 'Castle', 42n);
    const panel = await openWindow(browser, gamekeeper, view);
    await signInAs(panel, gamekeeper);
    const shown = { gamekeeper, panel, view, folder };
    await t.test(`are shown on a ${screen}`, (t) => showWorlds(t, shown));
    await t.test(`one is replaced by a ZIP whose upload goes on after Cancel and a reload on a ${screen}`, (t) =>
      upload(t, shown, zip),
    );
    await t.test(`one is reset while the server runs on a ${screen}`, (t) => reset(t, shown));
    t.same(panel.complaints, []);
    await panel.page.context().close();
  }
});

interface Shown {
  gamekeeper: Gamekeeper;
  panel: PanelWindow;
  view: View;
  folder: string;
}

async function showWorlds(t: Test, { panel: { page, follow }, view: { screen, scheme } }: Shown): Promise<void> {
  await follow(`/servers/${screen}/worlds`);
  const castle = page.getByRole('listitem', { name: 'castle' });
  await castle.getByText('Castle', { exact: true }).waitFor();
  await castle.getByText('Saved by 1.21.8').waitFor();
  await castle.getByText('42', { exact: true }).waitFor();
  const [archive] = await Promise.all([
    page.waitForEvent('download'),
    castle.getByRole('link', { name: 'Download' }).click(),
  ]);
  t.equal(archive.suggestedFilename(), 'castle.zip');
  t.notOk(await scrollsSideways(page), 'it fits');
  t.same(await accessibilityFaults(page, [scheme]), [], 'axe finds nothing');
}

async function upload(t: Test, { panel: { page }, view: { scheme }, folder }: Shown, zip: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Upload a world' });
  const choose = async () => {
    await page.getByRole('button', { name: 'Upload a world' }).click();
    await dialog.getByLabel('Folder').fill('castle');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), dialog.getByLabel('ZIP file').click()]);
    await chooser.setFiles(zip);
    await dialog.getByRole('button', { name: 'Upload' }).click();
  };
  const requests = watchUploads(page);
  const speedUp = await slowDownUploads(page);
  await choose();
  await dialog.getByText('choose the same file again').waitFor();
  await partOfUpload(folder);
  t.notOk(await scrollsSideways(page), 'it fits');
  t.same(await accessibilityFaults(page, [scheme]), [], 'axe finds nothing during an upload');
  await Promise.all([
    page.waitForEvent('requestfailed', (request) => request.url().includes('/files/uploads')),
    dialog.getByRole('button', { name: 'Cancel' }).click(),
  ]);
  await dialog.waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByRole('listitem', { name: 'castle' }).getByText('Castle', { exact: true }).waitFor();
  await speedUp();
  requests.length = 0;
  // The tab is closed once more, between the upload and the change.
  const isChange = (url: URL) => url.pathname.endsWith('/worlds/replace');
  await page.route(isChange, () => undefined);
  await Promise.all([page.waitForRequest((request) => isChange(new URL(request.url()))), choose()]);
  t.same(requests, ['HEAD start', 'PATCH later'], 'the upload goes on where it was');
  await page.reload();
  await page.unroute(isChange); // Before the reload this would let the request go.
  await choose();
  await page.getByText('Changed castle').waitFor();
  await page.getByRole('listitem', { name: 'castle' }).getByText('Island', { exact: true }).waitFor();
  t.same(
    readdirSync(folder).filter((name) => name.endsWith('.zip')),
    [],
    'no uploaded ZIP is left',
  );
}

async function reset(t: Test, { gamekeeper, panel: { page }, view: { screen }, folder }: Shown): Promise<void> {
  await gamekeeper.api('POST', `/instances/${screen}/start`);
  await gamekeeper.waitForStatus(screen, 'running');
  await page.getByTestId('phase').getByText('Running').waitFor();
  await page.getByRole('listitem', { name: 'castle' }).getByRole('button', { name: 'Reset' }).click();
  await page.getByLabel('Seed of the new world').fill('99');
  t.notOk(await scrollsSideways(page), 'it fits');
  await page.getByRole('button', { name: 'Stop, reset, start' }).click();
  await page.getByText('Changed castle').last().waitFor();
  const castle = path.join(folder, 'castle');
  // While it is swapped, there is none.
  await until('the world is empty', () => existsSync(castle) && readdirSync(castle).length === 0);
  await gamekeeper.waitForStatus(screen, 'running');
  t.match(readFileSync(path.join(folder, 'server.properties'), 'utf8'), /^level-seed=99$/m);
}

async function writeWorld(folder: string, name: string, seed: bigint): Promise<void> {
  const data = {
    LevelName: name,
    LastPlayed: BigInt(Date.now() - 3_600_000),
    Version: { Name: '1.21.8' },
    WorldGenSettings: { seed },
  };
  const root = { Data: data } as unknown as Parameters<typeof write>[0];
  const level = await write(root, { rootName: '', endian: 'big', compression: null, bedrockLevel: false });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'level.dat'), gzipSync(level));
}
