/** How many clicks a newcomer needs for what is done most often. Typing, and the keys that end it, are not counted. */
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { field, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { PATIENCE } from '../support/browser/newcomer.ts';
import { freePort } from '../support/machine/free-port.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

/** Fails if the work takes more clicks. */
type Counted = (what: string, most: number, work: () => Promise<unknown>) => Promise<void>;

async function clickCounter(t: Test, page: Page): Promise<Counted> {
  let clicks = 0;
  await page.exposeFunction('countClick', () => {
    clicks++;
  });
  await page.addInitScript("addEventListener('pointerdown', () => countClick(), true)");
  return async (what, most, work) => {
    const before = clicks;
    await work();
    // An event that the page has sent arrives before the answer to a later question.
    await page.evaluate('0');
    t.ok(clicks > before || most === 0, `${what}: clicks are counted`);
    t.ok(clicks - before <= most, `${what}: ${clicks - before} clicks, at most ${most}`);
  };
}

t.test('what is done most often takes few clicks', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  const { page, visit } = window;
  const counted = await clickCounter(t, page);
  await signInAs(window, gamekeeper);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const tab = (name: string) => page.getByRole('tab', { name }).click();
  const running = () => page.getByTestId('phase').getByText('Running').waitFor(PATIENCE);

  await counted('a new server that runs', 4, async () => {
    await page.getByRole('main').getByRole('link', { name: 'New server' }).click();
    await page.getByRole('radio', { name: /^Demo/ }).click();
    await field(page, 'Name').fill('Demo');
    await field(page, 'Port').fill(String(await freePort()));
    await button('Create server').click();
    await running();
  });

  const command = page.getByLabel('Command', { exact: true });
  await command.fill('demo join Steve');
  await command.press('Enter');
  await counted('a ban', 4, async () => {
    await tab('Players');
    await page.getByRole('button', { name: /^Actions.*Steve/ }).click();
    await page.getByRole('menuitem', { name: 'Ban' }).click();
    await page.keyboard.type('took the sheep');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Banned' }).getByText('Steve').waitFor(PATIENCE);
  });

  await counted('another difficulty', 4, async () => {
    await tab('Properties');
    await page.getByRole('combobox', { name: 'Difficulty' }).click();
    await page.getByRole('option', { name: 'Hard' }).click();
    await button('Save').click();
    await page.getByText('Saved and in effect').waitFor(PATIENCE);
  });
  const { body } = await gamekeeper.api('POST', '/instances/demo/commands', { command: 'difficulty' });
  t.same(body, { output: 'The difficulty is Hard' }, 'the running server has it');

  await tab('Backups');
  await button('Back up now').click();
  await page.getByRole('listitem').filter({ hasText: 'Manual' }).waitFor(PATIENCE);
  await tab('Console');
  await counted('a restore of a running server', 4, async () => {
    await tab('Backups');
    await page.getByRole('button', { name: /^Actions for the backup/ }).click();
    await page.getByRole('menuitem', { name: 'Restore', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Type Demo to confirm').fill('Demo');
    await button('Stop, restore and start').click();
    await page.getByText('was restored').waitFor(PATIENCE);
    await running();
  });

  await counted('an invitation', 5, async () => {
    await page.getByRole('link', { name: 'Users' }).click();
    await button('Add user').click();
    await field(page, 'Username').fill('anna');
    await page.keyboard.press('Enter');
    await page.getByText('anna can sign in now.').waitFor(PATIENCE);
  });

  await gamekeeper.api('PATCH', '/instances/demo', { crashPolicy: { restart: 'never' } });
  const game = processesOf(gamekeeper.home).find(({ command }) => command.includes('demo/main'));
  process.kill(game!.pid, 'SIGKILL');
  await visit('/');
  await counted('the reason of a crash', 1, async () => {
    await page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: 'Demo' }).click();
    await page.getByText('SIGKILL').first().waitFor(PATIENCE);
  });
  t.same(window.complaints, []);
});
