/**
 * How many clicks a newcomer needs for what is done most often. Typing, and the keys that end it, are not counted.
 * docs/decisions/0025-few-clicks.md has them, and those of an earlier panel.
 */
import type { Browser, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { field, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { PATIENCE } from '../support/browser/newcomer.ts';
import { useJavaOfThisMachine } from '../support/jobs/java-of-this-machine.ts';
import { freePort } from '../support/machine/free-port.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { startKindVendors } from '../workers/jobs/software/kind-vendors.ts';

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

/** Opens a window for a signed-in newcomer. */
async function openCounted(t: Test, browser: Browser, gamekeeper: Gamekeeper) {
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  const { page } = window;
  const counted = await clickCounter(t, page);
  await signInAs(window, gamekeeper);
  return {
    ...window,
    counted,
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    running: () => page.getByTestId('phase').getByText('Running').waitFor(PATIENCE),
  };
}

t.test('what is done most often takes few clicks', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const { page, visit, complaints, counted, button, running } = await openCounted(t, browser, gamekeeper);
  const tab = (name: string) => page.getByRole('tab', { name }).click();

  await counted('a new server that runs', 3, async () => {
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
  await counted('a ban', 3, async () => {
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

  await counted('an invitation', 2, async () => {
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
  t.same(complaints, []);
});

t.test('a Minecraft server takes one click more, for its EULA', async (t) => {
  if (!requireProgram(t, 'javac', 'openjdk-17-jdk-headless')) return;
  const browser = await startBrowser(t);
  if (!browser) return;
  const { addresses: vendors } = await startKindVendors(t, { java: Buffer.alloc(1) });
  const gamekeeper = await startGamekeeper(t, { settings: { vendors } });
  useJavaOfThisMachine(gamekeeper.home);
  const { page, complaints, counted, button, running } = await openCounted(t, browser, gamekeeper);

  await counted('a new Paper server that runs', 4, async () => {
    await page.getByRole('main').getByRole('link', { name: 'New server' }).click();
    await page.getByRole('radio', { name: /^Paper/ }).click();
    await field(page, 'Port').fill(String(await freePort()));
    await page.getByLabel(/^I accept the Minecraft EULA/).click();
    await button('Create server').click();
    await running();
  });
  t.same(complaints, []);
});
