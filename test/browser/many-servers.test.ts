import type { Browser, Locator } from 'playwright-core';
import t, { type Test } from 'tap';
import { accessibilityFaults, hasFocus, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

/** More than fit into the navigation. */
const SERVERS = 25;
/** Of servers that are never started, so that their ports need not be free. */
const FIRST_PORT = 30_100;
/** These are. */
const STARTED = 2;

t.test('with many servers, the open one, "New server" and the host pages stay in sight', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  for (let number = 1; number <= SERVERS; number++)
    await gamekeeper.api('POST', '/instances', {
      software: 'demo',
      name: `Server ${number}`,
      port: number <= STARTED ? await freePort() : FIRST_PORT + number,
    });

  for (const screen of ['desktop', 'phone'] as const) {
    const window = await openWindow(browser, gamekeeper, { screen, scheme: 'dark' });
    const { page, visit } = window;
    await signInAs(window, gamekeeper);
    await visit(`/servers/server-${SERVERS - 1}/console`);
    await page.getByRole('tab', { name: 'Console', selected: true }).waitFor();
    if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
    const navigation = page.getByRole('navigation');
    for (const name of [`Server ${SERVERS - 1}`, 'New server', 'Users', 'About'])
      await until(`${name} is visible, ${screen}`, () => isInSight(navigation.getByRole('link', { name })));
    t.notOk(await isInSight(navigation.getByRole('link', { name: /Server 1\b/ })), 'the first is above');
    await page.context().close();
  }

  await t.test('they are filtered, grouped, and started, backed up and stopped together', (t) =>
    manageTogether(t, { browser, gamekeeper }),
  );
});

async function manageTogether(t: Test, { browser, gamekeeper }: { browser: Browser; gamekeeper: Gamekeeper }) {
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'light' });
  const { page, complaints } = window;
  await signInAs(window, gamekeeper);
  const cards = page.getByRole('article');
  const shows = (count: number) => until(`${count} servers are shown`, async () => (await cards.count()) === count);
  await shows(SERVERS);
  const search = page.getByRole('searchbox', { name: 'Filter servers' });
  await search.fill('server 7');
  await shows(1);
  await search.fill('nowhere');
  await page.getByText('No server matches.').waitFor();
  await search.clear();

  await page.getByRole('combobox', { name: 'Group by' }).click();
  await page.getByRole('option', { name: 'Group by: State' }).click();
  await page.getByRole('heading', { name: `Stopped (${SERVERS})` }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: `Stopped (${SERVERS})` }).waitFor();

  await page.getByRole('button', { name: 'Select', exact: true }).click();
  for (let number = 1; number <= STARTED; number++)
    await page.getByRole('checkbox', { name: `Select Server ${number}`, exact: true }).check();
  t.ok(await page.getByRole('button', { name: 'Stop (0)' }).isDisabled(), 'what makes no sense is not offered');
  t.same(await accessibilityFaults(page, ['dark', 'light']), []);
  await page.getByRole('button', { name: `Start (${STARTED})` }).click();
  await page.getByRole('heading', { name: `Running (${STARTED})` }).waitFor();
  await useCard(page.getByRole('article', { name: 'Server 1', exact: true }));
  const host = page.getByRole('region', { name: 'This computer' });
  await host.getByText(`${STARTED} of ${SERVERS}`, { exact: true }).waitFor();
  t.match(await host.innerText(), /CPU\s+\d+\s?%\s+RAM\s+[\d.]+ GB of [\d.]+ GB\s+Free disk space\s+[\d.]+ [GT]B/);

  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText('Running without a backup from the last 7 days: Server 1, Server 2').waitFor();
  await page.getByRole('button', { name: `Back up (${STARTED})` }).click();
  await attention.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: `Stop (${STARTED})` }).click();
  const dialog = page.getByRole('dialog', { name: `Stop ${STARTED} servers?` });
  await dialog.getByText('Nobody is online.').waitFor();
  await dialog.getByRole('button', { name: `Stop (${STARTED})` }).click();
  await page.getByRole('heading', { name: `Stopped (${SERVERS})` }).waitFor();
  t.same(complaints, []);
  await page.context().close();
}

/** The menu and the tooltip of a card are mounted only when they are asked for. */
async function useCard(card: Locator): Promise<void> {
  const page = card.page();
  const more = card.getByRole('button', { name: 'More actions' });
  for (const _ of ['mounts', 'is mounted']) {
    await more.press('Enter');
    await page.getByRole('menuitem', { name: 'Restart' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await hasFocus(more);
  }
  await card.getByRole('button', { name: /^Copy: / }).hover();
  await page.getByRole('tooltip').getByText('Copy', { exact: true }).waitFor();
  await more.hover();
  await page.getByRole('tooltip').waitFor({ state: 'detached' });
}

/** Whether a click at its centre hits it. */
async function isInSight(link: Locator): Promise<boolean> {
  const box = await link.boundingBox();
  if (!box) return false;
  const hit = `document.elementFromPoint(${box.x + box.width / 2}, ${box.y + box.height / 2})?.closest('a')?.href`;
  return (
    (await link.page().evaluate<string | undefined>(hit))?.endsWith((await link.getAttribute('href')) ?? ' ') === true
  );
}
