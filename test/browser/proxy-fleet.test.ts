/** The overview of the hosted proxy in Chromium, with a thousand computers: by keyboard, on a phone, with and without script. */

import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { openDatabase } from '../../gateway/proxy/store/database.ts';
import { axeFaults, scrollsSideways, startBrowser } from '../support/browser/browser.ts';
import { oauthWorld } from '../support/proxy/oauth-world.ts';
import { PASSWORD } from '../support/proxy/proxy-process.ts';
import { seedFleet } from '../support/proxy/seed-fleet.ts';

const TIMEOUT_MS = 60_000;
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

t.test('a person finds one of a thousand computers', async (t) => {
  const { proxy } = await oauthWorld(t);
  const file = path.join(proxy.home, 'proxy.db');
  const database = await openDatabase({ file, url: undefined, onError: () => undefined });
  const at = Math.floor(Date.now() / 1000);
  await seedFleet(database, { account: 'anna', count: 1_000, at });
  await database.destroy();
  const browser = await startBrowser(t);
  if (!browser) return;
  const context = await browser.newContext({ viewport: DESKTOP, locale: 'en' });
  context.setDefaultTimeout(TIMEOUT_MS);
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const page = await context.newPage();
  const looksRight = async (name: string) => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      t.same(await axeFaults(page), [], `${name}, ${colorScheme}`);
    }
    await page.setViewportSize(PHONE);
    t.notOk(await scrollsSideways(page), `${name} fits on a phone`);
    await page.setViewportSize(DESKTOP);
  };

  await page.goto(`${proxy.url}/fleet`);
  await page.getByLabel('Name').fill('anna');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Overview' }).press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByText('of 1000 computers online').waitFor();
  t.equal(await page.getByRole('row').count(), 101);
  await looksRight('overview');

  await page.getByRole('link', { name: 'Players' }).press('Enter');
  await page.getByRole('columnheader', { name: 'Players' }).and(page.locator('[aria-sort=descending]')).waitFor();
  t.match(await page.getByRole('row').nth(1).textContent(), /node-1000/);
  await page.getByRole('link', { name: 'Next' }).press('Enter');
  await page.getByText('Page 2 of 10').waitFor();
  t.match(await page.getByRole('row').nth(1).textContent(), /node-900/);

  await page.getByRole('searchbox', { name: 'Search' }).fill('node-77');
  await page.getByLabel('Label').fill('region=us');
  await page.keyboard.press('Enter');
  await page.getByText('of 6 computers online').waitFor();
  await page.getByLabel('State').selectOption('With a crashed server');
  await page.getByRole('button', { name: 'Show' }).press('Enter');
  await page.getByText('No computer matches.').waitFor();
  await looksRight('nothing found');

  await page.goto(`${proxy.url}/fleet?search=node-7&sort=name&limit=1`);
  await page.getByRole('link', { name: 'node-7', exact: true }).focus();
  const editor = new DatabaseSync(file, { timeout: 5_000 });
  editor.exec(`UPDATE telemetry SET players = 4242 WHERE daemon_id IN (SELECT id FROM daemon WHERE name = 'node-7')`);
  await page.getByRole('cell', { name: '4242' }).waitFor();
  t.equal(await page.locator(':focus').textContent(), 'node-7', 'the focus stays');
  editor.close();

  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'node-7' }).waitFor();
  await looksRight('computer');
  await page.getByLabel('Labels').fill('tier=paid');
  await page.keyboard.press('Enter');
  await page.waitForURL(/fleet\/[0-9a-f-]+$/);
  t.equal(await page.getByLabel('Labels').inputValue(), 'tier=paid');
  await page.getByRole('link', { name: 'Overview' }).press('Enter');
  await page.getByRole('link', { name: 'Alerts' }).press('Enter');
  await page.getByText('nobody is told').waitFor();
  await page.getByLabel('Kind').selectOption('Webhook');
  await page.getByLabel('Address').fill('https://127.0.0.1:9/hook');
  await page.keyboard.press('Enter');
  await page.getByText('whsec_').waitFor();
  await looksRight('alerts');
  await page.getByRole('button', { name: 'Test: 127.0.0.1:9' }).press('Enter');
  await page.getByText('Not delivered: the address is not on the internet').waitFor();
  t.same(
    complaints.filter((complaint) => !complaint.includes('status of 404')),
    [],
  );
});
