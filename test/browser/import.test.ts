import path from 'node:path';
import t from 'tap';
import { accessibilityFaults, field, openWindow, scrollsSideways, signInAs, startBrowser } from '../support/browser.ts';
import { startGamekeeper } from '../support/gamekeeper.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { paperclip, SETTINGS, writeServer } from '../workers/pool/server-folders.ts';

t.test('a server that is there already is looked at, and then taken over', async (t) => {
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
  await page.getByText('One that I have').click();
  const folder = field(page, 'Its folder on this machine');
  const look = page.getByRole('button', { name: 'Look at it' });
  await folder.fill('/nowhere/at/all');
  await look.click();
  await page.getByRole('alert').waitFor();

  await folder.fill(unknown);
  await look.click();
  await page.getByText('The folder does not tell. Please say.').first().waitFor();

  await folder.fill(`${known}/`);
  await look.click();
  const found = page.getByRole('table', { name: 'What the folder says' });
  await found.getByText('1.21.4').waitFor();
  t.equal((await gamekeeper.api<object[]>('GET', '/instances')).body.length, 0, 'looking makes nothing');
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  t.equal(await field(page, 'Name').inputValue(), 'survival');
  await field(page, 'Name').fill('Old world');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('heading', { name: 'Old world' }).waitFor();
  t.match((await gamekeeper.api('GET', '/instances')).body, [{ name: 'Old world', software: 'paper', port: 25_570 }]);
});
