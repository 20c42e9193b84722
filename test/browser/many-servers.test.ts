import type { Browser, Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { accessibilityFaults, hasFocus, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { administrator, newUser } from '../support/browser/panel-user.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

/** More than fit into the navigation. */
const SERVERS = 25;
/** Of servers that are never started, so that their ports need not be free. */
const FIRST_PORT = 30_100;
/** These are. */
const STARTED = 2;
/** Longer than the mouse must rest for a tooltip. Milliseconds. */
const TIP_MS = 2_000;

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

  await t.test('users who may not see the computer see no backups', async (t) => {
    await newUser(gamekeeper, await administrator(gamekeeper), { username: 'guest', role: 'operator' });
    const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
    await signInAs(window, { username: 'guest', password: gamekeeper.password });
    await window.page.getByRole('article', { name: 'Server 1', exact: true }).getByText('Stopped').waitFor();
    t.equal(
      await window.page
        .getByRole('article')
        .getByText(/backup/i)
        .count(),
      0,
    );
    t.same(window.complaints, [], 'nor does the page ask for them');
    await window.page.context().close();
  });

  await t.test('the data and the font are asked for while the other scripts are on their way', async (t) => {
    const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
    const { page, visit, complaints } = window;
    await signInAs(window, gamekeeper);
    const arrives = (path: RegExp) => page.waitForResponse((response) => path.test(new URL(response.url()).pathname));
    const first = Promise.all([arrives(/^\/instances$/), arrives(/\/figtree-[^/]+\.woff2$/)]);
    const released = new Promise<void>((resolve) => {
      void page.route('**/assets/index-*.js', async (route) => {
        await first;
        await route.continue();
        resolve();
      });
    });
    await visit('/');
    await released;
    await page
      .getByRole('article')
      .nth(SERVERS - 1)
      .waitFor();
    t.same(complaints, []);
    await page.context().close();
  });

  await t.test('the icon of a server is read once its card is in sight', async (t) => {
    const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
    const { page } = window;
    const asked: string[] = [];
    page.on('request', (request) => {
      const [, id] = /\/instances\/([^/]+)\/files\?/.exec(request.url()) ?? [];
      if (id !== undefined) asked.push(id);
    });
    await signInAs(window, gamekeeper);
    await until('those in sight are asked for', async () => asked.length > 0);
    const last = page.getByRole('article').nth(SERVERS - 1);
    const [, id] = /([^/]+)$/.exec((await last.getByRole('link').first().getAttribute('href')) ?? '') ?? [];
    t.notOk(asked.includes(String(id)), 'the last is out of sight');
    await last.scrollIntoViewIfNeeded();
    await until('the last is asked for', async () => asked.includes(String(id)));
    t.equal(new Set(asked).size, asked.length, 'each once');
    await page.context().close();
  });

  await t.test('they are filtered, grouped, and started, backed up and stopped together', (t) =>
    manageTogether(t, { browser, gamekeeper }),
  );
});

async function manageTogether(t: Test, { browser, gamekeeper }: { browser: Browser; gamekeeper: Gamekeeper }) {
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'light' });
  const { page, complaints } = window;
  await signInAs(window, gamekeeper);
  const cards = page.getByRole('article');
  const card = (number: number) => page.getByRole('article', { name: `Server ${number}`, exact: true });
  const shows = (count: number) => until(`${count} servers are shown`, async () => (await cards.count()) === count);
  await shows(SERVERS);
  const search = page.getByRole('searchbox', { name: 'Filter servers' });
  await search.fill('server 7');
  await shows(1);
  await search.fill('nowhere');
  await page.getByText('No server matches.').waitFor();
  await search.clear();

  await choose(page, 'Group by', 'State');
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
  await useCard(card(1));
  await t.test('they are sorted', () => sort(page, gamekeeper));
  const host = page.getByRole('region', { name: 'This computer' });
  await host.getByText(`${STARTED} of ${SERVERS}`, { exact: true }).waitFor();
  t.match(await host.innerText(), /CPU\s+\d+\s?%\s+RAM\s+[\d.]+ GB of [\d.]+ GB\s+Free disk space\s+[\d.]+ [GT]B/);

  const attention = page.getByRole('region', { name: 'Needs attention' });
  await card(1).getByText('No backup yet').waitFor();
  await attention.getByText('Running without a backup from the last 7 days: Server 1, Server 2').waitFor();
  await page.getByRole('button', { name: `Back up (${STARTED})` }).click();
  await attention.waitFor({ state: 'detached' });
  await card(1)
    .getByText(/^Last backup (?:now|\d+ seconds? ago)$/)
    .waitFor();
  await card(STARTED + 1)
    .getByText('No backup yet')
    .waitFor();

  await page.getByRole('button', { name: `Stop (${STARTED})` }).click();
  const dialog = page.getByRole('dialog', { name: `Stop ${STARTED} servers?` });
  await dialog.getByText('Nobody is online.').waitFor();
  await dialog.getByRole('button', { name: `Stop (${STARTED})` }).click();
  await page.getByRole('heading', { name: `Stopped (${SERVERS})` }).waitFor();
  t.same(complaints, []);
  await page.context().close();
}

/** By name, and by players while one is on a server that comes later. */
async function sort(page: Page, { api }: Gamekeeper): Promise<void> {
  const say = (command: string) => api('POST', `/instances/server-${STARTED}/commands`, { command });
  const first = (wanted: string[]) =>
    until(`${wanted.join(', ')} come first`, async () => {
      const cards = await page.getByRole('article').all();
      const names = await Promise.all(cards.slice(0, wanted.length).map((each) => each.getAttribute('aria-label')));
      return names.join() === wanted.join();
    });
  await first(['Server 1', 'Server 2', 'Server 3']);
  await say('demo join Steve');
  await choose(page, 'Sort by', 'Players online');
  await first(['Server 2', 'Server 1', 'Server 3']);
  await page.getByRole('article', { name: 'Server 2' }).getByRole('img', { name: 'Steve' }).waitFor();
  await say('demo leave Steve');
  await first(['Server 1', 'Server 2', 'Server 3']);
}

async function choose(page: Page, list: 'Group by' | 'Sort by', value: string): Promise<void> {
  await page.getByRole('combobox', { name: list }).click();
  await page.getByRole('option', { name: `${list}: ${value}` }).click();
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
  const copy = card.getByRole('button', { name: /^Copy: / });
  const tip = page.getByRole('tooltip').getByText('Copy', { exact: true });
  // What is above the cards may change, so that the button moves away from the mouse.
  await until('the tooltip is shown', async () => {
    await more.hover();
    await copy.hover();
    return await tip.waitFor({ timeout: TIP_MS }).then(
      () => true,
      () => false,
    );
  });
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
