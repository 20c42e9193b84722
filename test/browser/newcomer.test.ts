import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import {
  accessibilityFaults,
  field,
  openWindow,
  scrollsSideways,
  startBrowser,
  type View,
} from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { startGamekeeper } from '../support/gamekeeper.ts';
import { until } from '../support/until.ts';

const PASSWORD = 'a few words of my own';

/** Where something is made, copied or started, on a machine that does other things as well. Milliseconds. */
const PATIENCE = { timeout: 30_000 };

t.test('a newcomer gets from the first run to a player, and to a restored backup', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const views: View[] = [
    { screen: 'desktop', scheme: 'dark' },
    { screen: 'phone', scheme: 'light' },
  ];
  for (const view of views)
    await t.test(`on a ${view.screen}, in the ${view.scheme} scheme`, (t) => walk(t, browser, view));
});

async function walk(t: Test, browser: Browser, view: View): Promise<void> {
  const gamekeeper = await startGamekeeper(t, { env: { GAMEKEEPER_ADMIN_PASSWORD: '' } });
  const { page, complaints, visit } = await openWindow(browser, gamekeeper, view);
  const isPhone = view.screen === 'phone';
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const tab = (name: string) => page.getByRole('tab', { name }).click();
  const phase = page.getByTestId('phase');
  // Every other page: every-page.test.ts.
  const looksFine = async (what: string) => {
    t.same(await accessibilityFaults(page, [view.scheme]), [], `${what}: axe finds nothing`);
    t.notOk(await scrollsSideways(page), `${what}: fits into the window`);
  };

  // The printed password, and one's own.
  const printed = /password {2}(\S+)/.exec(gamekeeper.output())?.[1] ?? '';
  await visit('/');
  await field(page, 'Username').fill('admin');
  await field(page, 'Password').fill(printed);
  await looksFine('sign-in');
  await button('Sign in').click();
  await field(page, 'Present password').fill(printed);
  await field(page, 'New password').fill(PASSWORD);
  await field(page, 'New password again').fill(PASSWORD);
  await looksFine('choosing a password');
  await button('Use this password').click();

  // Nothing there yet: the page leads to the first server.
  await page.getByRole('heading', { name: 'No servers yet' }).waitFor();
  await looksFine('no servers');
  await page.getByRole('main').getByRole('link', { name: 'New server' }).click();
  await page.getByRole('radio', { name: /^Demo/ }).click();
  await field(page, 'Name').fill('Demo');
  await field(page, 'Port').fill(String(await freePort()));
  await button('Create server').click();
  await phase.getByText('Running').waitFor(PATIENCE);

  // A player joins.
  await command(page, 'demo join Steve');
  await page.getByText('Steve joined the game').waitFor(PATIENCE);
  await tab('Players');
  await page.getByRole('cell', { name: 'Steve', exact: true }).waitFor();

  // A backup, and something that it does not hold yet.
  await tab('Backups');
  await button('Back up now').click();
  await page.getByRole('listitem').filter({ hasText: 'by hand' }).waitFor(PATIENCE);
  await tab('Players');
  await field(page, 'Player by name').fill('Griefer');
  await page.getByRole('combobox', { name: 'Actions' }).click();
  await page.getByRole('option', { name: 'Ban' }).click();
  await button('Do it').click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Ban' }).click();
  const banned = () => readFile(join(gamekeeper.home, 'instances/demo/banned-players.json'), 'utf8');
  await until('the ban is on disk', async () => (await banned()).includes('Griefer'));
  await page.getByRole('region', { name: 'Banned' }).getByText('Griefer').waitFor();

  // Back to the backup.
  await button('Stop').click();
  await phase.getByText('Stopped').waitFor(PATIENCE);
  await tab('Backups');
  await page.getByRole('button', { name: /^Actions for the backup/ }).click();
  await page.getByRole('menuitem', { name: 'Restore', exact: true }).click();
  const restore = question.getByRole('button', { name: 'Restore' });
  t.ok(await restore.isDisabled(), 'what is lost has to be confirmed');
  await looksFine('restore');
  await question.getByLabel('Type demo to confirm').fill('demo');
  await restore.click();
  await page.getByRole('listitem').filter({ hasText: 'before a restore' }).waitFor(PATIENCE);
  await until('the restore is through', async () => !(await banned().catch(() => 'Griefer')).includes('Griefer'));
  await until('nothing is done to it', async () => !/Restoring/.test((await phase.textContent()) ?? ''));
  await button('Start').click();
  await phase.getByText('Running').waitFor(PATIENCE);

  // At a glance.
  if (isPhone) await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'All servers' }).click();
  await page.getByRole('article', { name: 'Demo' }).getByText('Running').waitFor();
  t.same(complaints, [], 'nothing in the console, nothing asked of anybody else');
}

async function command(page: Page, text: string): Promise<void> {
  await page.getByLabel('Command', { exact: true }).fill(text);
  await page.keyboard.press('Enter');
}
