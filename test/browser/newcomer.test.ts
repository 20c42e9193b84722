/** With a simulated player. test/real/newcomer.test.ts uses a real one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import {
  accessibilityFaults,
  field,
  hasFocus,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
  type View,
} from '../support/browser/browser.ts';
import { newcomer, PATIENCE } from '../support/browser/newcomer.ts';
import { administrator, newUser } from '../support/browser/panel-user.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('a newcomer gets from the first run to a server with a player and a restored backup', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const views: View[] = [
    { screen: 'desktop', scheme: 'dark' },
    { screen: 'phone', scheme: 'light' },
  ];
  for (const view of views)
    await t.test(`on a ${view.screen}, in the ${view.scheme} scheme`, (t) => walk(t, browser, view));
});

t.test('the first steps show what is done, until the administrator hides them', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo', port: await freePort() });
  const view: View = { screen: 'phone', scheme: 'dark' };
  const window = await openWindow(browser, gamekeeper, view);
  const { page, visit, complaints } = window;
  const loads = countLoads(page);
  await signInAs(window, gamekeeper);
  const steps = page.getByRole('region', { name: 'First steps' });
  const isDone = (step: string) =>
    steps.getByRole('listitem').filter({ hasText: step }).getByRole('img', { name: 'Done' }).waitFor(PATIENCE);
  await steps.getByText('0 of 5 done').waitFor();
  await gamekeeper.api('POST', '/instances/demo/start');
  await isDone('Start a server');

  const admin = await administrator(gamekeeper);
  await newUser(gamekeeper, admin, { username: 'olga', role: 'operator' });
  await admin.ask('PUT', '/api/settings', { lan: { announce: true } });
  await steps.getByRole('link', { name: 'Back up every night' }).click();
  await page.waitForURL('**/servers/demo/schedules');
  await gamekeeper.api('PUT', '/instances/demo/schedules', {
    schedules: [{ name: 'Nightly', cron: '0 4 * * *', action: { type: 'backup' } }],
  });
  await visit('/');
  await steps.getByText('4 of 5 done').waitFor();
  for (const step of ['Let friends join', 'Invite someone', 'Back up every night']) await isDone(step);
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');

  await page.getByRole('button', { name: 'Hide the first steps' }).click();
  await steps.waitFor({ state: 'detached' });
  await hasFocus(page.locator('#content'));
  const before = loads();
  t.ok(before > 0);
  await page.reload();
  await page.getByRole('article', { name: 'Demo' }).waitFor();
  t.equal(loads(), before, 'they stay hidden, and are not even loaded');

  const theirs = await openWindow(browser, gamekeeper, view);
  const theirLoads = countLoads(theirs.page);
  await signInAs(theirs, { username: 'olga', password: gamekeeper.password });
  await theirs.page.getByRole('article', { name: 'Demo' }).waitFor();
  t.equal(theirLoads(), 0, 'operators have none');
  t.same([...complaints, ...theirs.complaints], []);
});

/** Returns how often the page has loaded the first steps. The page asks for them when it shows the servers. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('request', (request) => {
    if (request.url().includes('/Checklist-')) loads++;
  });
  return () => loads;
}

async function walk(t: Test, browser: Browser, view: View): Promise<void> {
  const gamekeeper = await startGamekeeper(t, { env: { GAMEKEEPER_ADMIN_PASSWORD: '' } });
  const person = await newcomer(t, browser, gamekeeper, view);
  const { page, phase, button, tab, looksFine } = person;

  await person.firstRun();
  await page.getByRole('radio', { name: /^Paper.*Recommended/ }).waitFor();
  await page.getByRole('radio', { name: /^Demo/ }).click();
  t.equal(await field(page, 'Name').inputValue(), 'Survival', 'a name is suggested');
  await field(page, 'Name').fill('Demo');
  await field(page, 'Port').fill(String(await freePort()));
  const memory = page.getByRole('slider', { name: 'Choose the memory' });
  await memory.press('End');
  await page.getByRole('status').getByText('Leaves only').waitFor();
  await page.getByRole('combobox', { name: 'Difficulty' }).click();
  await page.getByRole('option', { name: 'Hard' }).click();
  await field(page, 'Seed').fill('424242');
  await looksFine('new server', { withKeys: true });
  await memory.press('Home');
  await memory.press('ArrowRight');
  t.equal(await field(page, 'Memory').inputValue(), '1 GB');
  t.equal(await memory.getAttribute('aria-valuetext'), '1 GB');
  await page.getByText('for the system and other servers.').waitFor();
  await button('Create server').click();
  await phase.getByText('Running').waitFor(PATIENCE);

  const command = page.getByLabel('Command', { exact: true });
  for (const line of ['difficulty', 'demo join Steve']) {
    await command.fill(line);
    await command.press('Enter');
  }
  await page.locator('.xterm-rows').getByText('The difficulty is Hard').waitFor(PATIENCE);
  await page.locator('.xterm-rows').getByText('Steve joined the game').waitFor(PATIENCE);
  await looksFine('console', { withKeys: true });
  await tab('Players');
  await page.getByRole('cell', { name: 'Steve', exact: true }).waitFor();
  await tab('Worlds');
  await page.getByText('424242').waitFor();

  // A backup, then a ban that the backup does not contain.
  await person.backUp();
  await tab('Players');
  await field(page, 'Player name').fill('Griefer');
  await page.getByRole('combobox', { name: 'Actions' }).click();
  await page.getByRole('option', { name: 'Ban' }).click();
  await looksFine('players', { withKeys: true });
  await button('Apply').click();
  await hasFocus(page.getByRole('dialog').getByLabel('Reason (shown to the player)'));
  await page.keyboard.type('took the sheep');
  await page.keyboard.press('Enter');
  const banned = () => readFile(join(gamekeeper.home, 'instances/demo/banned-players.json'), 'utf8');
  await until('the ban is on disk', async () => /Griefer.*took the sheep/s.test(await banned()));
  await page.getByRole('region', { name: 'Banned' }).getByText('Griefer').waitFor();

  await button('Stop').click();
  const question = page.getByRole('dialog', { name: 'Stop Demo?' });
  await question.getByText('1 player is online and will be disconnected.').waitFor();
  await question.getByRole('button', { name: 'Stop' }).click();
  await phase.getByText('Stopped').waitFor(PATIENCE);
  await person.restore('Demo');
  t.notMatch(await banned().catch(() => ''), 'Griefer', 'the later ban is gone');
  await button('Start').click();
  await phase.getByText('Running').waitFor(PATIENCE);
  await person.seeAll();
  await page.getByRole('article', { name: 'Demo' }).getByText('Running').waitFor();
  await page.getByRole('region', { name: 'First steps' }).getByText('1 of 5 done').waitFor();
  await looksFine('all servers', { withKeys: true });
  t.same(person.complaints, [], 'no errors in the browser console, no requests to other hosts');
}
